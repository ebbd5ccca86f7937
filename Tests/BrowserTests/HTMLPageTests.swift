import Foundation
import PinholeLab
import PinholeReports
import PinholeTestKit
import Testing

/// The lab's page as Chromium lays it out: narrow and wide, light and dark, and on paper.
@Suite(
    "The lab's page in a browser",
    .enabled(
        if: Executable.find("chromium") != nil && Executable.find("python3") != nil,
        "chromium or python3 is missing"
    )
)
struct HTMLPageTests {
    /// What is measured in each view.
    private struct View: Decodable {
        let view: String
        /// How far the page is wider than the window.
        let overflow: Double
        /// Whether the matrix has columns beyond its frame, and whether that is told.
        let isCut: Bool
        let isTold: Bool
        /// Where the first column and the heads stand after scrolling to the far corner, from the frame's edges.
        let names: Double
        let heads: Double
        /// Whether the last cell is in the frame then.
        let isLastSeen: Bool
        /// The luminance of the ground, 0 to 1.
        let ground: Double
        /// The columns of the tables for paper, and how far the widest is beyond the sheet; none on a screen.
        let sheets: [Int]
        let beyondSheet: Double
        let isPDF: Bool?
    }

    private static let measure = """
        (function () {
          var frame = document.querySelector('.wide'), sheets = document.querySelector('.sheets');
          var isPaper = matchMedia('print').matches;
          frame.scrollTo(0, 0);
          frame.dispatchEvent(new Event('scroll'));
          var isCut = frame.scrollWidth > frame.clientWidth + 1;
          var isTold = frame.parentElement.classList.contains('right') && !document.querySelector('.cue').hidden;
          frame.scrollTo(frame.scrollWidth, frame.scrollHeight);
          var box = frame.getBoundingClientRect();
          var row = document.querySelector('.matrix tbody:last-of-type tr:last-child');
          var last = row.lastElementChild.getBoundingClientRect();
          var names = row.firstElementChild.getBoundingClientRect().left - box.left;
          var heads = document.querySelector('.matrix thead th').getBoundingClientRect().top - box.top;
          var rgb = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3);
          var tables = Array.from(sheets.querySelectorAll('table'));
          return {
            overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            isCut: isCut, isTold: isTold, names: names, heads: heads,
            isLastSeen: last.right <= box.right + 1 && last.bottom <= box.bottom + 1,
            ground: rgb.reduce(function (sum, part) { return sum + part / 765; }, 0),
            sheets: isPaper ? tables.map(function (t) {
              return t.querySelectorAll('thead tr:last-child th').length; }) : [],
            beyondSheet: isPaper ? Math.max.apply(null, tables.map(function (t) {
              return t.getBoundingClientRect().right - document.body.getBoundingClientRect().right; })) : 0
          };
        })()
        """

    /// How a page is laid out at a width.
    private struct Extent: Decodable {
        let height: Double
        let overflow: Double
        /// The number of parts that scroll sideways by themselves.
        let scrolling: Int
        let open: Int
    }

    @Test("the page of one policy is short: expected results are folded, and a link opens them")
    func onePolicy() async throws {
        let own = LabPolicy.custom("app.json", "pins of the leaf's key") { server in
            guard server.validated != nil, let leaf = server.presented.first else { return false }
            return server.pins.leaf.contains(leaf.pin)
        }
        let report = try await PinningLab().run(own)
        let directory = try TemporaryDirectory()
        let page = try directory.write(report.html, to: "lab.html")
        let measure = """
            (function () {
              var extent = { height: document.documentElement.scrollHeight,
                overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth };
              document.querySelectorAll('details').forEach(function (d) { d.open = true; });
              extent.scrolling = Array.from(document.querySelectorAll('main *')).filter(function (e) {
                return e.scrollWidth > e.clientWidth + 1
                  && /auto|scroll/.test(getComputedStyle(e).overflowX); }).length;
              document.querySelectorAll('details').forEach(function (d) { d.open = false; });
              location.hash = '#app.json-A02';
              window.dispatchEvent(new HashChangeEvent('hashchange'));
              extent.open = document.querySelectorAll('#A02[open] .cell[open]').length;
              document.querySelectorAll('details').forEach(function (d) { d.open = false; });
              return extent;
            })()
            """
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Clients/look_at_page.py").path
        let python = try #require(Executable.find("python3"))
        let result = try await ProcessRunner.run(
            Invocation(
                python,
                [script, page, measure, "1280:light", "390:dark"],
                environment: ["HOME": directory.path, "TMPDIR": directory.path]
            )
        )
        try #require(result.isSuccess, "\(result)")
        let views = try result.text.split(whereSeparator: \.isNewline).map {
            try JSONDecoder().decode(Extent.self, from: Data($0.utf8))
        }
        #expect(views.count == 2 && views.allSatisfy { $0.overflow <= 0 && $0.open == 1 }, "\(views)")
        #expect(views.allSatisfy { $0.scrolling == 0 }, "\(views)")
        #expect(views.first.map { $0.height < 9000 } == true, "\(views)")
    }

    @Test("every column can be reached, the page says how many there are, and paper shows all of them")
    func layout() async throws {
        let report = try await PinningLab().run(Array(LabPolicy.builtIn.prefix(6)))
        let directory = try TemporaryDirectory()
        let page = try directory.write(report.html, to: "lab.html")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Clients/look_at_page.py").path
        let widths = ["390:light", "390:dark", "1280:dark", "1600:light", "4000:light", "print"]
        let python = try #require(Executable.find("python3"))
        let result = try await ProcessRunner.run(
            Invocation(
                python,
                [script, page, Self.measure] + widths,
                environment: ["HOME": directory.path, "TMPDIR": directory.path]
            )
        )
        try #require(result.isSuccess, "\(result)")
        let views = try result.text.split(whereSeparator: \.isNewline).map {
            try JSONDecoder().decode(View.self, from: Data($0.utf8))
        }
        #expect(views.map(\.view) == widths)
        for view in views.dropLast() {
            #expect(view.overflow <= 0, "\(view.view): the page itself does not scroll sideways")
            #expect(view.isCut == view.isTold, "\(view.view): what is beyond the frame is told")
            // A narrow window shows the cells of a policy below its name, without a frame.
            let isNarrow = view.view.hasPrefix("390")
            #expect(view.isCut == (!isNarrow && view.view != "4000:light"), "\(view.view)")
            #expect((0...2).contains(view.names), "\(view.view): the names stay: \(view.names)")
            #expect(isNarrow || (0...60).contains(view.heads), "\(view.view): the heads stay: \(view.heads)")
            #expect(view.isLastSeen, "\(view.view): the last cell can be seen")
            #expect((view.ground < 0.5) == view.view.hasSuffix("dark"), "\(view.view)")
        }
        let paper = try #require(views.last)
        #expect(paper.sheets.count > 1 && paper.sheets.reduce(0, +) == report.scenarios.count)
        #expect(paper.beyondSheet <= 0, "every table fits on its sheet")
        #expect(paper.isPDF == true)
    }
}
