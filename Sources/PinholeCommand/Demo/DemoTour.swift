import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeFilter
import PinholeFormats
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// The tour of the demo, whose steps are checked one after the other.
struct DemoTour {
    let world: DemoWorld
    let printer = DemoPrinter()
    private var number = 0
    private var failedChecks = 0
    private var sights: [DemoStep.Sight] = []

    /// Whether the tour has all steps; otherwise it has the eight that show most.
    private let isWhole: Bool

    /// Prepares a tour in `world`.
    ///
    /// - Parameters:
    ///   - world: The proxy, the servers and the files of the tour.
    ///   - isWhole: Whether the tour has all steps.
    init(_ world: DemoWorld, isWhole: Bool) {
        self.world = world
        self.isWhole = isWhole
    }

    /// Runs all steps.
    ///
    /// - Returns: Whether everything was as expected.
    mutating func run() async -> Bool {
        introduce()
        await run(DemoStep.stranger(world.origin))
        let steps = DemoStep.answers(world.origin) + DemoStep.failures(world.origin)
        for step in steps where isWhole || step.isInShortTour { await run(step) }
        showChains()
        await showCapture()
        if isWhole {
            number += 1
            printer.title(
                number,
                "Which pinning notices: NSURLSession and AFNetworking in the detection matrix"
            )
            for expectation in await showMatrix() { check(expectation) }
        }
        conclude()
        return failedChecks == 0
    }

    private func introduce() {
        printer.line(printer.style.paint("Pinhole: what a proxy in the middle sees", .cyan))
        printer.line("")
        printer.paragraph(
            """
            A server is running here, with a little CA of its own, and the proxy before it. Everything below is \
            sent by curl, through the proxy, to that server. Nothing leaves this machine.
            """
        )
        printer.line("")
        for (name, value) in variables { printer.command("export \(name)=\(value)") }
        printer.paragraph(
            "To each curl the demo adds: \(Self.additions.dropLast().joined(separator: " ")) …",
            .faint
        )
    }

    // MARK: curl

    /// The arguments that the demo adds to read the result: no settings of the user, no progress bar, error messages,
    /// a timeout, and the measurements on standard error.
    private static let additions = [
        "-q", "-sS", "-m", "10", "-w",
        "%{stderr}\n%{response_code} %{num_redirects} %{time_starttransfer} %{time_total}",
    ]

    /// The variables of the user that change the proxy or the trusted CAs of curl, which does not get them.
    private static let clean: [String: String?] = {
        let names = ProcessEnvironment.variables.keys.filter { name in
            let name = name.lowercased()
            return name.hasSuffix("_proxy") || name.hasPrefix("ssl") || name.hasPrefix("curl")
        }
        return Dictionary(names.map { ($0, nil) }) { first, _ in first }
    }()

    /// The variables in the command lines.
    private var variables: [(name: String, value: String)] {
        [("PROXY", "http://\(world.proxyAddress)"), ("CA", world.authorityPath)]
    }

    /// Runs curl.
    ///
    /// - Parameter words: The arguments, in which variables are replaced.
    /// - Returns: The result.
    /// - Throws: ``CommandFailure`` if curl cannot be run.
    private func curl(_ words: [String]) async throws(CommandFailure) -> DemoStep.Answer {
        let words = words.map { word in
            variables.reduce(word) { $0.replacing("$\($1.name)", with: $1.value) }
        }
        let child = ChildProcess(command: ["curl"] + Self.additions + words, variables: Self.clean)
        let output = try await child.read()
        let lines = output.errors.split(whereSeparator: \.isNewline)
        let facts = (lines.last ?? "").split(separator: " ").compactMap { Double($0) }
        guard facts.count == 4 else { throw CommandFailure("curl reported no status: \(output.errors)") }
        // curl appends a long advice on disabling the check; the first line is enough.
        let complaint = lines.count > 1 ? lines[0].split(separator: ") ", maxSplits: 1).last : nil
        return DemoStep.Answer(
            exit: output.code,
            body: output.bytes,
            complaint: complaint.map(String.init) ?? "",
            status: Int(facts[0]),
            redirects: Int(facts[1]),
            streaming: facts[3] - facts[2]
        )
    }

    // MARK: Steps

    private mutating func run(_ step: DemoStep) async {
        number += 1
        printer.title(number, step.title)
        printer.paragraph(step.explanation)
        let words = step.words.map { $0.hasPrefix("$") ? $0 : ShellWord.word($0.utf8) }
        printer.command((["curl"] + words).joined(separator: " "))
        do {
            try await step.preparation?(world)
            let last = try world.reader().lastID()
            let answer = try await curl(step.words)
            let sight = DemoStep.Sight(curl: answer, proxy: try await world.records(after: last))
            sights.append(sight)
            show(sight, lines: step.shownLines)
            for expectation in step.expectations(sight) { check(expectation) }
        } catch {
            check(DemoExpectation("the step could be run: \(error)", false))
        }
    }

    private mutating func check(_ expectation: DemoExpectation) {
        printer.check(expectation)
        if !expectation.holds { failedChecks += 1 }
    }

    private func show(_ sight: DemoStep.Sight, lines: Int) {
        let body = sight.curl.text.split(whereSeparator: \.isNewline)
            .flatMap { TextLayout.wrap(String($0), printer.width - DemoPrinter.indent - 2) }
        for line in body.prefix(lines) + (lines > 0 && body.count > lines ? ["…"] : []) {
            printer.line(printer.indented(printer.style.paint("│ ", .faint) + line))
        }
        let answer = sight.curl
        let size = Plain.size(Int64(answer.body.count))
        let result = answer.status > 0 ? ["\(answer.status), \(size)"] : []
        let end = answer.exit == 0 ? [] : ["exit \(answer.exit), \(answer.complaint)"]
        printer.labelled("curl", (result + end).joined(separator: ", "))
        printer.labelled("proxy", "recorded")
        // An exchange shows an answered failure already.
        let flows = sight.proxy.flows.filter { flow in
            !flow.showsExchanges || flow.isFailed && !flow.isAnsweredFailure
        }
        show(sight.proxy.exchanges.map { .exchange($0) } + flows.map { .flow($0) })
    }

    /// Prints a list as `pinhole flows list` does.
    private func show(_ events: [TrafficEvent]) {
        let width = printer.width - DemoPrinter.indent
        let table = FlowTable(style: printer.style, width: width, now: LoopClock().now())
        for line in table.lines(events) { printer.line(printer.indented(line)) }
    }

    // MARK: The last steps

    private mutating func showChains() {
        number += 1
        printer.title(number, "The two chains")
        printer.paragraph(
            """
            What the shop presented to the proxy, and what the proxy presented to curl. A pin holds the key of the \
            shop's leaf, so the other leaf cannot satisfy it.
            """
        )
        let flow = sights.lazy.flatMap(\.proxy.flows).first {
            $0.authority?.hasPrefix("\(VirtualHost.shop):") == true && $0.outcome?.kind == .completed
        }
        guard let flow else { return check(DemoExpectation("both chains were recorded", false)) }
        let text = FlowText(record: flow, style: printer.style, width: printer.width - DemoPrinter.indent)
        for line in text.chains.flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
            printer.line(line.isEmpty ? "" : printer.indented(String(line)))
        }
        let leaves = [flow.serverHandshake, flow.clientHandshake].compactMap { handshake in
            (handshake?.presentedChain.first).flatMap { try? Certificate(der: $0) }
        }
        check(
            DemoExpectation(
                "the same name, other keys, another CA",
                leaves.count == 2 && Set(leaves.map(\.subjectAlternativeNames)).count == 1
                    && Set(leaves.map(\.pin)).count == 2 && Set(leaves.map(\.issuer)).count == 2
            )
        )
    }

    private mutating func showCapture() async {
        do {
            let reader = try world.reader()
            showExchanges(try reader.exchanges(order: .oldestFirst, limit: 1000))
            if isWhole {
                let failed = FlowFilter(Filter(.flag(.failed)))
                showFailures(try reader.flows(failed, order: .oldestFirst, limit: 1000))
                try exportArchive(reader)
            }
            try await replay(reader)
        } catch {
            check(DemoExpectation("the capture can be read and exported: \(error)", false))
        }
    }

    private mutating func showExchanges(_ exchanges: [ExchangeRecord]) {
        number += 1
        printer.title(number, "Everything that was captured")
        show(exchanges.map { .exchange($0) })
        let seen = sights.flatMap(\.proxy.exchanges).map(\.id)
        check(
            DemoExpectation(
                "the \(seen.count) exchanges of this tour are in the capture",
                Set(seen).isSubset(of: exchanges.map(\.id))
            )
        )
    }

    private mutating func showFailures(_ flows: [FlowRecord]) {
        number += 1
        printer.title(number, "The failures and their causes")
        show(flows.map { .flow($0) })
        let handshakes = flows.flatMap { [$0.clientHandshake, $0.serverHandshake] }
        let causes = Set(handshakes.compactMap { $0?.failure?.cause })
        check(
            DemoExpectation(
                "each failure has a cause of its own",
                causes.isSuperset(of: [
                    .authorityNotTrusted, .serverCertificateRefused, .clientCertificateRequired, .looksPinned,
                ])
            )
        )
    }

    private mutating func exportArchive(_ reader: CaptureReader) throws {
        number += 1
        printer.title(number, "Taken away: a HAR file")
        printer.paragraph("The file opens in a browser's developer tools and in most other tools.")
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        let file = try Descriptor(opening: world.archivePath, flags: flags, mode: 0o600)
        let count = try HARExport(reader).write(to: file.number)
        printer.labelled("HAR", world.archivePath)
        let statistics = try reader.statistics()
        check(DemoExpectation("it has all \(count) exchanges", count == statistics.exchanges && count > 0))
    }

    /// Exports the POST as a curl command, and runs that.
    private mutating func replay(_ reader: CaptureReader) async throws {
        number += 1
        printer.title(number, "Sent again: an exported curl command")
        printer.paragraph(
            """
            The POST from above, as a command line with every header in its place. It runs with HTTPS_PROXY and \
            CURL_CA_BUNDLE set, as by pinhole run.
            """
        )
        let original = sights.first { $0.exchange?.method == "POST" }
        guard let original, let record = try original.exchange.flatMap({ try reader.exchange($0.id) }) else {
            return check(DemoExpectation("the POST is in the capture", false))
        }
        let command = CurlCommand(record, body: try reader.body(of: record, .request)).text
        printer.command(command)
        let own: [String: String?] = [
            "HTTPS_PROXY": "http://\(world.proxyAddress)", "CURL_CA_BUNDLE": world.authorityPath,
            // This directory contains no .curlrc.
            "HOME": world.directory,
        ]
        let words = ["timeout", "10", "sh", "-c", command]
        let run = try await ChildProcess(command: words, variables: Self.clean.merging(own) { $1 }).read()
        check(
            DemoExpectation(
                "the server got the same bytes again, headers and body",
                run.code == 0 && run.bytes == original.curl.body
            )
        )
    }

    private func conclude() {
        printer.line("")
        if failedChecks == 0 {
            printer.line(printer.style.paint("Everything was as expected.", .green))
        } else {
            let text = "\(failedChecks) checks were not as expected; see ✗ above."
            printer.line(printer.style.paint(text, .red))
        }
        printer.line("The files stay in \(world.directory):")
        printer.labelled("capture", world.capturePath)
        if isWhole { printer.labelled("HAR", world.archivePath) }
        printer.labelled("CA", world.authorityPath)
        if isWhole {
            printer.labelled("matrix", world.reportPath)
            printer.paragraph(
                "The matrix is one HTML page; every sign in it leads to what was seen on the wire."
            )
        } else {
            printer.line("")
            printer.paragraph(
                """
                pinhole demo --all also shows compressed, chunked and slow responses, mutual TLS, more faults, a HAR \
                file, and which kinds of pinning notice the proxy.
                """
            )
        }
    }
}
