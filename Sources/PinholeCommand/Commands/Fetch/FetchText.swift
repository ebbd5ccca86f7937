import PinholeLab
import PinholeModel
import PinholeTrust
import PinholeWire

/// The story of a fetch for people: a line or a few for each step.
struct FetchText {
    private let outcome: FetchOutcome
    private let style: Style

    /// The columns of the time and of the name of a step.
    private static let timeWidth = 9
    private static let nameWidth = 13

    init(_ outcome: FetchOutcome, style: Style) {
        self.outcome = outcome
        self.style = style
    }

    /// The lines.
    var lines: [String] {
        var lines = [style.paint(Plain.printable(outcome.story.url.description), .bold)]
        for entry in outcome.story.entries {
            let (name, texts) = description(of: entry.step)
            for (index, text) in texts.enumerated() {
                let time = index == 0 ? Plain.duration(entry.after) : ""
                let shown = index == 0 ? name : ""
                lines.append(
                    style.paint(
                        String(repeating: " ", count: max(0, Self.timeWidth - time.count)) + time,
                        .faint
                    ) + "  " + style.paint(shown.padded(to: Self.nameWidth), .cyan) + text
                )
            }
        }
        return lines + ["", result]
    }

    private var result: String {
        switch outcome.result {
        case .success(let response):
            let text =
                "fetched: \(response.head.status) \(response.head.reason), \(Plain.size(Int64(response.body.count)))"
            return style.paint(Plain.printable(text), .green)
        case .failure(let failure):
            return style.paint("refused or failed: an app on URLSession would see ", .red)
                + style.paint("\(failure.code.rawValue) \(failure.code.name)", .bold)
        }
    }

    private func description(of step: FetchStep) -> (name: String, lines: [String]) {
        switch step {
        case .resolved(let authority, let took):
            let time = took.map { " (\(Plain.duration($0)))" } ?? ""
            return ("name", ["\(authority.host) was looked up\(time)"])
        case .connected(let address, let isProxy, let attempts):
            let failures = attempts.compactMap { attempt in
                attempt.failure.map { "\(attempt.address): \($0)" }
            }
            let isConnected = attempts.contains { $0.failure == nil }
            let text = isConnected ? "to \(address)\(isProxy ? ", the proxy" : "")" : "to nobody"
            return ("connected", [text] + failures.map { style.paint($0, .yellow) })
        case .tunnel(let authority, let status, let reason):
            let text = Plain.printable("CONNECT \(authority): \(status) \(reason)")
            return ("tunnel", [style.paint(text, Style.colour(ofStatus: status))])
        case .clientHello(let hello, let offersSession):
            return ("ClientHello", FetchStepText.hello(hello, offersSession))
        case .serverChain(let chain, let hasStapledResponse, let isFromSession):
            return ("chain", FetchStepText.chain(chain, hasStapledResponse, isFromSession))
        case .challenge(let challenge, let level):
            return ("challenge", FetchStepText.challenge(challenge, level))
        case .judgement(let mechanism, let judgement): return ("checks", checks(mechanism, judgement))
        case .disposition(let disposition, let note):
            return ("answer", [style.paint(disposition.name, .bold) + ": " + Plain.printable(note)])
        case .handshake(let version, let cipher, let applicationProtocol, let isResumed):
            var parts = [version, cipher, applicationProtocol.map { "ALPN \($0)" } ?? "no ALPN"]
            if isResumed { parts.append("resumed") }
            return ("TLS", [Plain.printable(parts.joined(separator: ", "))])
        case .request(let method, let target, let fields):
            return ("request", (["\(method) \(target)"] + fields).map(Plain.printable))
        case .response(let head):
            let text = Plain.printable("\(head.status) \(head.reason)")
            return ("response", [style.paint(text, Style.colour(ofStatus: head.status))])
        case .redirect(let url, let isFollowed, let note):
            let text = Plain.printable("to \(url)") + (isFollowed ? "" : ", not followed") + ": \(note)"
            return ("redirect", [text])
        case .body(let count): return ("body", [Plain.size(Int64(count))])
        case .note(let text): return ("note", [style.paint(Plain.printable(text), .yellow)])
        case .failed(let failure): return ("error", error(failure))
        }
    }

    private func checks(_ mechanism: String, _ judgement: Judgement) -> [String] {
        var lines = ["by “\(mechanism)”:"]
        for check in judgement.checks {
            let (mark, colour): (String, Style.Colour) =
                switch check.outcome {
                case .passed: ("passed ", .green)
                case .failed: ("FAILED ", .red)
                case .skipped: ("skipped", .faint)
                }
            lines.append(
                "  " + style.paint(mark, colour) + " \(Plain.printable(check.name)): "
                    + Plain.printable(check.detail)
            )
        }
        switch judgement.verdict {
        case .trusted: lines.append("  " + style.paint("verdict: trusted", .green))
        case .rejected(let rejection):
            lines.append("  " + style.paint("verdict: rejected (\(rejection.reason.code))", .red))
            lines.append("  " + Plain.printable(rejection.detail))
        case .notApplicable(let reason):
            lines.append("  " + style.paint("verdict: not applicable, \(Plain.printable(reason))", .yellow))
        }
        return lines
    }

    private func error(_ failure: ClientFailure) -> [String] {
        var lines = [
            style.paint("\(failure.code.domain) \(failure.code.rawValue) \(failure.code.name)", .red)
        ]
        if let code = failure.streamCode { lines.append("_kCFStreamErrorCodeKey \(code)") }
        lines.append("what failed: \(failure.check)")
        return lines + [Plain.printable(failure.detail)]
    }
}
