import ArgumentParser
import Foundation
import PinholeModel
import PinholeStore

/// `pinhole flows show`.
struct FlowsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one exchange or one flow: messages, timings, both handshakes, both chains.",
        discussion: """
            EXAMPLES
              pinhole flows show 12
                  an exchange, or a failed or relayed tunnel, by its number in the list
              pinhole flows show 12 --json | jq -r .response.head
            """
    )

    @OptionGroup var source: CaptureSource

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: "The number, as “pinhole flows list” shows it.")
    var id: Int64

    func run() throws {
        let reader = try source.open()
        do {
            let exchange = try reader.exchange(ExchangeID(rawValue: id))
            let flow = try reader.flow(exchange?.flow ?? FlowID(rawValue: id))
            let style = Style.forDescriptor(STDOUT_FILENO)
            if let exchange {
                let request = try reader.body(of: exchange, .request)
                let response = try reader.body(of: exchange, .response)
                if json {
                    let detail = ExchangeDetailJSON(
                        exchange,
                        request: request,
                        response: response,
                        flow: flow
                    )
                    return StandardOutput.write(JSONLine.text(detail))
                }
                let text = ExchangeText(record: exchange, request: request, response: response, style: style)
                for line in text.lines { StandardOutput.write(line) }
            }
            guard let flow else { return try checkFound(exchange) }
            if json { return StandardOutput.write(JSONLine.text(FlowDetailJSON(flow))) }
            for line in FlowText(record: flow, style: style).lines { StandardOutput.write(line) }
        } catch let failure as CaptureFailure {
            throw CommandFailure(failure)
        }
    }

    private func checkFound(_ exchange: ExchangeRecord?) throws(CommandFailure) {
        guard exchange == nil else { return }
        throw CommandFailure(.negative, "nothing has the number \(id)", remedy: "pinhole flows list")
    }
}
