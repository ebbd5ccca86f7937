import Glibc
import PinholeClient
import PinholeLock
import PinholeModel
import PinholeWire

/// The control API of a running proxy, for `pinhole top`.
///
/// A proxy that was started again may have another address, so the console is looked for with each new stream.
final class TopConsole: Sendable {
    private let capture: String
    private let address: Authority?
    private let console: Lock<RunningConsole>
    private let client: PinholeClient
    private let streamClient: PinholeClient

    /// The longest answer: the numbers of ten million exchanges.
    private static let answerBytes = 64 << 20
    /// The longest silence of the stream; the console sends a comment every 15 seconds.
    private static let silence = Duration.seconds(40)

    /// Finds the console of the proxy that records into a capture.
    ///
    /// - Parameters:
    ///   - capture: The file of the capture.
    ///   - address: The address of the console; `nil` to look for it beside the capture.
    /// - Throws: ``CommandFailure`` if there is none, or it does not answer.
    init(of capture: String, at address: Authority?) async throws(CommandFailure) {
        self.capture = capture
        self.address = address
        do throws(RunningConsole.Absence) {
            console = Lock(try RunningConsole(beside: capture, at: address))
        } catch {
            throw Self.failure(capture, error.reason)
        }
        do throws(ClientFailure) {
            client = try PinholeClient(RunningConsole.settings(bodyLimit: Self.answerBytes))
            streamClient = try PinholeClient(
                RunningConsole.settings(bodyLimit: Self.answerBytes, patience: Self.silence)
            )
        } catch {
            throw CommandFailure(.couldNotRun, error.detail)
        }
        if let problem = await ask("GET", "/api/state").problem {
            throw Self.failure(capture, problem.detail)
        }
    }

    private static func failure(_ capture: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .couldNotRun,
            "no running proxy can be shown for \(capture): \(Plain.printable(reason))",
            remedy:
                "start it (pinhole proxy), or name its capture: --capture FILE; “pinhole flows list” lists a capture without a proxy"
        )
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, with its query.
    ///   - body: JSON; empty for none.
    /// - Returns: The answer.
    func ask(_ method: String, _ path: String, _ body: String = "") async -> TopAnswer {
        do throws(ClientFailure) {
            let request = try console.withLock { $0 }.request(method, path, body)
            return Self.answer(try await client.fetch(request).result.get())
        } catch {
            return .problem(TopProblem(error.detail))
        }
    }

    /// Reads events until the stream ends.
    ///
    /// - Parameters:
    ///   - filter: The filter of the traffic.
    ///   - take: Takes events that came together.
    /// - Returns: The reason for the end.
    func follow(_ filter: String, _ take: @escaping @Sendable ([ServerSentEvent]) -> Void) async -> TopProblem
    {
        do throws(RunningConsole.Absence) {
            let found = try RunningConsole(beside: capture, at: address)
            console.withLock { $0 = found }
        } catch {
            return TopProblem(error.reason)
        }
        do throws(ClientFailure) {
            let path = "/api/events?filter=\(TopQuestion.encoded(filter))"
            var request = try console.withLock { $0 }.request("GET", path, "")
            let reader = Lock(EventReader())
            request.takeBody = { bytes in
                let events = reader.withLock { $0.take(bytes) }
                if !events.isEmpty { take(events) }
            }
            let answer = Self.answer(try await streamClient.fetch(request).result.get())
            return answer.problem ?? TopProblem("the proxy has ended the stream of events")
        } catch {
            return TopProblem(error.detail)
        }
    }

    private static func answer(_ response: ClientResponse) -> TopAnswer {
        guard response.head.isSuccess else {
            return .problem(TopProblem(status: response.head.status, try? JSONValue(parsing: response.body)))
        }
        let fields = ["pinhole-total", "pinhole-failure"].compactMap { name in
            response.head.fields.first(name).map { (name, $0) }
        }
        return .content(response.body, fields: Dictionary(fields) { first, _ in first })
    }
}
