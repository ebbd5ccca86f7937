import Foundation
import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("The lab's HTML report")
struct HTMLReportTests {
    @Test("a real run: every cell leads to its evidence, and nothing is loaded")
    func links() async throws {
        let report = try await SampleRun.report.value
        let page = report.html
        let targets = Set(page.matches(of: /\sid="([^"]*)"/).map { String($0.1) })
        let links = page.matches(of: /\shref="([^"]*)"/).map { String($0.1) }
        #expect(links.allSatisfy { $0.hasPrefix("#") && targets.contains(String($0.dropFirst())) })
        #expect(page.matches(of: /\sid="/).count == targets.count, "identifiers stand once")
        #expect(page.matches(of: /<td class="[a-zA-Z ]+"[^>]*><a href="#/).count == report.cells.count)
        for scenario in report.scenarios {
            #expect(links.contains("#app.json-\(scenario.id)") && links.contains("#\(scenario.id).1"))
        }
        #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("url("))
        #expect(!page.contains("http-equiv=\"refresh\""))
        #expect(page.contains("default-src 'none'"))
    }

    @Test("the evidence of a miss shows both chains, the checks and the bytes that were read")
    func evidence() async throws {
        let page = try await SampleRun.report.value.html
        let begin = try #require(page.firstRange(of: "id=\"app.json-A04\""))
        let end = try #require(page[begin.upperBound...].firstRange(of: "</details>"))
        let evidence = page[page.index(begin.lowerBound, offsetBy: -600)..<end.lowerBound]
        for part in [
            "What the honest server presents", "What the client was shown", "Honest Trust Issuing CA",
            "<h5>Checks</h5>", "TLSv1.3", "What would have caught it", "GET https://api.pinned.test",
        ] {
            #expect(evidence.contains(part), "\(part)")
        }
    }

    @Test("rows that did alike share their evidence, which leads to their chains")
    func sharedEvidence() async throws {
        let report = try await SampleRun.report.value
        let page = report.html
        // A01 is refused by all modes but one, for one reason.
        let alike = try #require(page.firstRange(of: "id=\"A01.1\""))
        let group = page[alike.lowerBound...].prefix(2000)
        #expect(group.contains("SL SC") && group.contains("TLSv1.3"), "\(group)")
        #expect(group.contains("href=\"#chain-"), "\(group)")
        #expect(page.matches(of: /<div id="chain-\d+">/).count < report.cells.count / 3)
    }

    @Test("a row that did as another one adds little to the page")
    func size() async throws {
        var run = try await SampleRun.document()
        let before = JudgedRun(run).html.utf8.count
        let cells = run.cells.filter { $0.place.policy == "SL" }
        let copies = 50
        for number in 1...copies {
            run.policies.append(LabDocument.Row(id: "SL\(number)", title: "as SL", stance: .inUse))
            run.cells += cells.map { cell in
                var copy = LabDocument.Cell(
                    LabDocument.Place("SL\(number)", cell.place.scenario),
                    expected: cell.expected,
                    outcome: cell.outcome,
                    reason: cell.reason,
                    evidence: cell.evidence
                )
                copy.grade = cell.grade
                return copy
            }
        }
        let added = JudgedRun(run).html.utf8.count - before
        // The sign in the matrix, that on paper, the name, and the row's own line in the summary.
        #expect(added / (copies * cells.count) < 250, "\(added) bytes for \(copies * cells.count) cells")
    }

    @Test("few policies: a line for each scenario by its name and grade, with expected results folded")
    func transposed() throws {
        var run = SampleRun.made(["mine": ["A02": .missed]])
        let index = try #require(run.cells.firstIndex { $0.place == LabDocument.Place("mine", "L02") })
        run.cells[index].outcome = .falseAlarm
        run.cells[index].grade = .should
        run.policies[0].advice = "Change that."
        let page = JudgedRun(run).html
        #expect(page.contains("<p class=\"verdict\">FAILED: mine: missed in A02. Change that.</p>"))
        #expect(!page.contains("class=\"matrix\"") && page.matches(of: /<table class="cross">/).count == 2)
        let open = try #require(page.firstRange(of: "must: what the mechanism promises"))
        let later = try #require(page.firstRange(of: "should: what another sound setting does, not judged"))
        let folded = try #require(page.firstRange(of: "1 scenario as expected"))
        #expect(open.lowerBound < later.lowerBound && later.lowerBound < folded.lowerBound)
        #expect(page.contains("<b>A02</b> title of A02"))
        #expect(page.contains("<details class=\"scenario\" id=\"A02\" open>"))
        #expect(page.contains("<details class=\"scenario\" id=\"L02\">"), "not judged, so folded")
    }

    @Test("headers have scopes, tables have captions, tags are closed")
    func structure() async throws {
        let page = try await SampleRun.report.value.html
        #expect(page.matches(of: /<th(?![^>]*scope=)[ >]/).isEmpty)
        #expect(page.matches(of: /<table/).count == page.matches(of: /<caption>/).count)
        for name in [
            "section", "table", "tbody", "tr", "td", "th", "details", "summary", "dl", "div", "ol", "ul",
        ] {
            let opened = page.split(separator: "<\(name)").dropFirst()
                .count { $0.first == " " || $0.first == ">" }
            #expect(
                opened == page.split(separator: "</\(name)>", omittingEmptySubsequences: false).count - 1,
                "\(name)"
            )
        }
    }

    @Test("texts are escaped in every place of the page")
    func escaping() {
        var run = SampleRun.made(["<b>": ["A02": .missed]])
        let evil = "<script>\"x\"&'y'"
        run.policies[0] = LabDocument.Row(id: evil, title: evil, stance: .own)
        run.cells = run.cells.map { cell in
            let place = LabDocument.Place(
                cell.place.policy == "mine" ? evil : cell.place.policy,
                cell.place.scenario
            )
            var evidence = LabEvidence(.accepted, evil)
            evidence.requests = [evil]
            evidence.error = LabEvidence.ClientError(domain: evil, code: 1, name: evil, detail: evil)
            return LabDocument.Cell(
                place,
                expected: cell.expected,
                outcome: cell.outcome,
                reason: evil,
                evidence: [evidence]
            )
        }
        let page = JudgedRun(run).html
        #expect(page.matches(of: /<script>/).count == 1, "the page's own")
        #expect(page.contains("href=\"#row0-A02\"") && page.contains("id=\"row0-A02\""))
    }

    @Test("the gain and the cost of pinning")
    func gainAndCost() {
        var run = SampleRun.made(["SYS": ["A02": .missed], "mine": ["L02": .falseAlarm]])
        let page = JudgedRun(run).html
        let (gain, cost) = ("<td data-label=\"gain\">", "<td data-label=\"cost\">")
        #expect(page.contains("\(gain)<b>1 of 1</b></td>\(cost)alarm in L02</td>"))
        #expect(page.contains("\(gain)0 of 1; not A02</td>\(cost)<b>quiet</b></td>"))
        run.scenarios.removeAll { $0.id == "L02" }
        run.cells.removeAll { $0.place.scenario == "L02" }
        #expect(JudgedRun(run).html.contains("\(cost)not run</td>"))
    }

    @Test("differences from an expectation come first and are marked in the matrix")
    func differences() throws {
        let expectation = Expectation(recording: SampleRun.made(["AA": ["A02": .missed]]))
        let page = JudgedRun(SampleRun.made(), expectation: expectation).html
        #expect(page.contains("<h2 id=\"differences-title\">1 cell differs from the record</h2>"))
        let start = try #require(page.firstRange(of: "<th scope=\"row\">AA</th>"))
        let line = page[start.lowerBound...].prefix(350)
        #expect(line.contains("<a href=\"#AA-A02\">A02</a> title of A02"))
        #expect(line.contains("<td data-label=\"recorded\">missed</td>") && line.contains("<b>detected</b>"))
        #expect(page.matches(of: /<td class="[a-zA-Z ]*differs"/).count == 1)
        #expect(page.contains("detected, differs from the record"))
        #expect(!JudgedRun(SampleRun.made()).html.contains("id=\"differences\""))
    }

    @Test("on paper the matrix is divided by groups, and no column is left out")
    func sheets() async throws {
        let catalogue = Scenario.catalogue.map(LabColumn.init)
        var run = LabDocument(host: "h", started: "s")
        run.scenarios = catalogue
        let sheets = HTMLReport.sheets(of: run.groups)
        #expect(sheets.flatMap { $0.flatMap(\.columns) }.map(\.id).sorted() == catalogue.map(\.id).sorted())
        #expect(sheets.allSatisfy { (1...32).contains($0.reduce(0) { $0 + $1.columns.count }) })
        let wide = (0..<70).map { SampleRun.column("A\($0)") }
        let parts = HTMLReport.sheets(of: [("one", Array(wide.prefix(3))), ("wide", wide)])
        #expect(parts.map { $0.reduce(0) { $0 + $1.columns.count } } == [3, 32, 32, 6])
        let page = try await SampleRun.report.value.html
        #expect(page.matches(of: /<table class="sheet/).count == 1)
    }

    @Test("repetitions with different results are listed one by one")
    func repetitions() {
        var run = SampleRun.made()
        run.cells[0].evidence = [LabEvidence(.accepted, "first"), LabEvidence(.rejected, "second")]
        run.cells[1].evidence = [LabEvidence(.accepted, "same"), LabEvidence(.accepted, "same")]
        let page = JudgedRun(run).html
        #expect(page.contains("Run 1 of 2: first") && page.contains("Run 2 of 2: second"))
        #expect(page.contains("2 runs, all the same"))
    }

    @Test("the colours of signs can be read on their grounds", arguments: ["light", "dark"])
    func contrast(scheme: String) throws {
        let text = HTMLStyle.text
        let start = try #require(
            text.firstRange(of: scheme == "light" ? ":root {" : "(prefers-color-scheme: dark)")
        )
        var colors: [String: Double] = [:]
        for match in text[start.upperBound...].prefix(1200).matches(of: /--([a-z-]+): #([0-9a-f]{6})/)
        where colors[String(match.1)] == nil {
            colors[String(match.1)] = luminance(String(match.2))
        }
        var pairs = [
            ("ink", "ground"), ("soft", "ground"), ("soft", "panel"), ("link", "ground"), ("link", "panel"),
        ]
        pairs += ["detected", "accepted", "missed", "alarm", "unsaid"].map { ("\($0)-ink", $0) }
        for (ink, ground) in pairs {
            let (one, other) = (try #require(colors[ink]), try #require(colors[ground]))
            let contrast = (max(one, other) + 0.05) / (min(one, other) + 0.05)
            #expect(contrast >= 4.5, "\(scheme): \(ink) on \(ground) is \(contrast)")
        }
    }

    /// The relative luminance of WCAG 2.1.
    private func luminance(_ color: String) -> Double {
        let value = Int(color, radix: 16) ?? 0
        let weights = [0.2126, 0.7152, 0.0722]
        return zip([16, 8, 0], weights).reduce(0) { sum, part in
            let channel = Double(value >> part.0 & 255) / 255
            let linear = channel <= 0.03928 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
            return sum + linear * part.1
        }
    }
}
