import PinholeClient
import PinholeModel
import PinholeSession
import PinholeTrust
import PinholeWire

/// The steps of a fetch as text for users, with one or more lines for each step.
struct FetchText {
    private let outcome: FetchOutcome
    private let style: Style
    private let width: Int
    /// The columns to which lines are wrapped; `nil` in a pipe.
    private let terminal: Int?

    /// The columns of the time and of the name of a step.
    private static let timeWidth = 9
    private static let nameWidth = 13
    /// The columns before the text of a step.
    private static let hang = timeWidth + 2 + nameWidth
    /// The fewest columns of a text, also in a narrower terminal.
    private static let narrowest = 40

    init(_ outcome: FetchOutcome, style: Style, width: Int?) {
        self.outcome = outcome
        self.style = style
        self.width = width ?? 110
        terminal = width.map { max($0, Self.hang + Self.narrowest) }
    }

    /// The lines of the text.
    var lines: [String] {
        var lines = [style.paint(Plain.printable(outcome.story.url.description), .bold)]
        for entry in outcome.story.entries {
            let (name, texts) = description(of: entry.step)
            for (index, text) in texts.enumerated() {
                let time = index == 0 ? Plain.duration(entry.after) : ""
                let shown = index == 0 ? name : ""
                let line =
                    style.paint(time.leftPadded(to: Self.timeWidth), .faint) + "  "
                    + style.paint(shown.padded(to: Self.nameWidth), .cyan) + text
                lines.append(TextLayout.hanging(line, terminal, hang: Self.hang))
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
            let text = "to \(address)\(isProxy ? ", the proxy" : "")"
            return ("connected", [text] + failures(attempts))
        case .notConnected(let authority, let isProxy, let attempts):
            let text = "no connection to \(authority)\(isProxy ? ", the proxy" : "")"
            return ("dialed", [style.paint(text, .red)] + failures(attempts))
        case .tunnel(let authority, let status, let reason):
            let text = Plain.printable("CONNECT \(authority): \(status) \(reason)")
            return ("tunnel", [style.paint(text, Style.colour(ofStatus: status))])
        case .clientHello(let hello, let offersSession):
            return ("ClientHello", FetchStepText.hello(hello, offersSession))
        case .serverChain(let presentation): return ("chain", FetchStepText.chain(presentation))
        case .challenge(let challenge, let level):
            return ("challenge", FetchStepText.challenge(challenge, level))
        case .judgement(let mechanism, let judgement, let others):
            return ("checks", checks(mechanism, judgement) + paths(others, judgement))
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
        case .trailers(let fields):
            return (
                "trailers",
                fields.pairs.map { Plain.printable(ShownField.text(name: $0.name, value: $0.value)) }
            )
        case .note(let text): return ("note", [style.paint(Plain.printable(text), .yellow)])
        case .failed(let failure): return ("error", error(failure))
        }
    }

    private func failures(_ attempts: [DialRecord]) -> [String] {
        FetchStepText.failures(attempts).map { style.paint($0, .yellow) }
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
            let texts = wrapped("\(check.name): \(check.detail)", indentation: 10)
            for (index, text) in texts.enumerated() {
                lines.append("  " + (index == 0 ? style.paint(mark, colour) : "       ") + " " + text)
            }
        }
        switch judgement.verdict {
        case .trusted: lines.append("  " + style.paint("verdict: trusted", .green))
        case .rejected(let rejection):
            lines.append("  " + style.paint("verdict: rejected (\(rejection.reason.code))", .red))
            // The check that failed usually has the same detail already.
            if !judgement.checks.contains(where: { $0.detail == rejection.detail }) {
                lines += wrapped(rejection.detail, indentation: 2).map { "  " + $0 }
            }
        case .notApplicable(let reason):
            lines.append("  " + style.paint("verdict: not applicable, \(Plain.printable(reason))", .yellow))
        }
        return lines
    }

    private func paths(_ others: PathSet, _ judgement: Judgement) -> [String] {
        PathSetText.lines(others, beside: judgement.path != nil).flatMap { line in
            wrapped(line, indentation: 4).enumerated().map { index, text in
                (line.hasPrefix(" ") ? "    " : index == 0 ? "  " : "    ") + text
            }
        }
    }

    private func error(_ failure: ClientFailure) -> [String] {
        var lines = [
            style.paint("\(failure.code.domain) \(failure.code.rawValue) \(failure.code.name)", .red)
        ]
        if let code = failure.streamCode { lines.append("_kCFStreamErrorCodeKey \(code)") }
        lines.append("failed check: \(failure.check)")
        // The checks of the policy are printed above.
        return failure.rejection == nil ? lines + wrapped(failure.detail, indentation: 0) : lines
    }

    /// Cuts a text between words into lines for the column of texts.
    private func wrapped(_ text: String, indentation: Int) -> [String] {
        let words = Plain.printable(text).split(separator: " ").map(String.init)
        let room = max(Self.narrowest, width - Self.hang - indentation)
        return TextLayout.fill(words, room, first: "", hang: 0)
    }
}
