import PinholeFilter
import PinholeFormats
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore

/// The tour of the demo, whose steps are checked one after the other.
struct DemoTour {
    let world: DemoWorld
    let printer = DemoPrinter()
    private let curl: DemoCurl
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
        curl = DemoCurl(variables: [
            "PROXY": "http://\(world.proxyAddress)", "CA": world.authorityPath,
        ])
    }

    /// Runs all steps.
    ///
    /// - Returns: Whether everything was as expected.
    mutating func run() async -> Bool {
        introduce()
        await go(DemoStep.stranger(world.origin))
        let steps = DemoStep.answers(world.origin) + DemoStep.failures(world.origin)
        for step in steps where isWhole || step.isInShortTour { await go(step) }
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
        for (name, value) in curl.variables.sorted(by: { $0.key > $1.key }) {
            printer.command("export \(name)=\(value)")
        }
        printer.paragraph(
            "To each curl the demo adds: \(DemoCurl.additions.dropLast().joined(separator: " ")) …",
            .faint
        )
    }

    // MARK: Steps

    private mutating func go(_ step: DemoStep) async {
        number += 1
        printer.title(number, step.title)
        printer.paragraph(step.explanation)
        printer.command(DemoCurl.line(step.words))
        do {
            try step.preparation?(world)
            let last = try world.reader().lastID()
            let run = try await curl.run(step.words)
            let sight = DemoStep.Sight(curl: run, proxy: try await world.records(after: last))
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
        printer.labelled("curl", DemoReport.curl(sight.curl))
        for (index, line) in DemoReport.proxy(sight.proxy).enumerated() {
            printer.labelled(index == 0 ? "proxy" : "", line)
        }
    }

    // MARK: The last steps

    private mutating func showChains() {
        number += 1
        printer.title(number, "The two chains, side by side")
        printer.paragraph(
            """
            Left: what the shop presented to the proxy. Right: what the proxy presented to curl. A pin holds the \
            key of the left side, so the right side cannot satisfy it.
            """
        )
        let flow = sights.lazy.flatMap(\.proxy.flows).first {
            $0.authority?.hasPrefix("\(VirtualHost.shop):") == true && $0.outcome?.kind == .completed
        }
        do {
            guard
                let chains = try flow.flatMap({
                    try DemoChains($0, width: printer.width - DemoPrinter.indent)
                })
            else {
                return check(DemoExpectation("both chains were recorded", false))
            }
            for line in chains.lines(printer) { printer.line(printer.indented(line)) }
            check(DemoExpectation("the same name, other keys, another CA", chains.areAsExpected))
        } catch {
            check(DemoExpectation("the chains can be read: \(error)", false))
        }
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
        let table = FlowTable(
            style: printer.style,
            width: printer.width - DemoPrinter.indent,
            now: LoopClock().now()
        )
        for line in table.lines(exchanges.map { .exchange($0) }) { printer.line(printer.indented(line)) }
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
        for flow in flows {
            for line in DemoReport.failures(of: flow) { printer.labelled("#\(flow.id.rawValue)", line) }
        }
        let causes = Set(flows.flatMap(DemoReport.causes))
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
        let count = try DemoFile.write(world.archivePath) { descriptor throws(CaptureFailure) in
            try HARExport(reader).write(to: descriptor)
        }
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
        let run = try await curl.shell(
            command,
            variables: [
                "HTTPS_PROXY": "http://\(world.proxyAddress)", "CURL_CA_BUNDLE": world.authorityPath,
                // This directory contains no .curlrc.
                "HOME": world.directory,
            ]
        )
        check(
            DemoExpectation(
                "the server got the same bytes again, headers and body",
                run.exit == 0 && run.body == original.curl.body
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
