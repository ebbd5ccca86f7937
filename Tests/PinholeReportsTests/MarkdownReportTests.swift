import PinholeLab
import Testing

@testable import PinholeReports

@Suite("The lab's Markdown report")
struct MarkdownReportTests {
    @Test("the matrix, and the mistakes of the user's own policy")
    func everything() {
        let run = SampleRun.made(["mine": ["A02": .missed], "AA": ["A02": .missed, "L02": .inconclusive]])
        #expect(
            JudgedRun(run).markdown == """
                ## Pinning lab: api.pinned.test

                2026-11-21T10:00:00Z

                **FAILED: mine: missed in A02.**

                - **mine** (the app's own): 1 missed, 1 missed by every client, 1 accepted

                | policy | grade | as a correct client | otherwise |
                |---|---|---|---|
                | mine | must: what the mechanism promises | 2 of 3 | missed A02 |

                | | scenario | mine | SYS | AA |
                |---|---|:-:|:-:|:-:|
                | A02 | title of A02 | **✗** | ✓ | **✗** |
                | A28 | title of A28 | – | – | – |
                | L02 | title of L02 | ○ | ○ | ? |

                ✓ detected · ✗ missed · – missed by every client · ○ accepted · ! false alarm · ? inconclusive

                ### What went wrong

                - **mine · A02** title of A02: **missed**. mine A02 missed.

                """
        )
    }

    @Test("nothing went wrong")
    func fine() { #expect(!JudgedRun(SampleRun.made()).markdown.contains("###")) }

    @Test("differences from an expectation come first, and allowed faults are marked as recorded")
    func differences() {
        var recorded = SampleRun.made(["mine": ["A02": .missed], "AA": ["A02": .missed]])
        recorded.policies.append(LabDocument.Row(id: "gone", title: "gone", stance: .inUse))
        recorded.cells.append(
            LabDocument.Cell(
                LabDocument.Place("gone", "A02"),
                expected: .detected,
                outcome: .detected,
                reason: ""
            )
        )
        let expectation = Expectation(recording: recorded)
        let text = JudgedRun(
            SampleRun.made(["mine": ["A02": .missed]]),
            expectation: expectation
        ).markdown
        #expect(
            text.contains(
                """
                2026-11-21T10:00:00Z

                **CHANGED: 1 of 9 cells**

                ### 1 cell differs from the record

                | policy | scenario | recorded | now |
                |---|---|---|---|
                | AA | A02 title of A02 | missed | **detected** |

                - recorded, and not run: gone in A02

                - **mine**
                """
            )
        )
        #expect(text.contains("title of A02: **missed**, as recorded. mine A02 missed."))
        let same = JudgedRun(recorded, expectation: expectation).markdown
        #expect(same.contains("### No cell differs from the record"))
    }

    @Test("missing parts are listed")
    func parts() throws {
        let text = JudgedRun(try SampleRun.part("1/2", ["A02"])).markdown
        #expect(text.contains("part 1/2; **not here:** part 2/2"))
        let parts = try ["1/3", "2/3", "3/3"].map { try SampleRun.part($0, ["A02"]) }
        let two = try LabDocument.merging([parts[0], parts[2]])
        #expect(JudgedRun(two).markdown.contains(", merged from 2 of 3 parts; **not here:** part 2/3\n"))
        #expect(
            JudgedRun(two).html.contains("merged from 2 of 3 parts · <strong>part 2/3 is not here</strong>")
        )
        #expect(JudgedRun(try LabDocument.merging(parts)).markdown.contains(", merged from 3 of 3 parts\n"))
    }

    @Test("texts are no markup")
    func escaping() {
        var run = SampleRun.made(["mine": ["A02": .missed]])
        run.cells[0].reason = "a | b\n<img> *c* @team `d` [e](f)"
        #expect(
            JudgedRun(run).markdown.contains(
                "a \\| b &lt;img&gt; \\*c\\* &#64;team \\`d\\` \\[e\\](f)"
            )
        )
    }

    @Test("a long report is cut where a comment ends, and says so")
    func limit() async throws {
        var run = try await SampleRun.document()
        run.policies.removeFirst()
        let whole = JudgedRun(run).markdown
        let limit = whole.count - 200
        let text = MarkdownReport(run: JudgedRun(run), limit: limit).text
        #expect(text.count <= limit)
        #expect(text.contains("more; the HTML and JSON reports tell all of them."))
        #expect(!whole.contains("more; the HTML"))
    }
}
