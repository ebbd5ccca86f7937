import PinholeModel
package import PinholeTrust

/// The course of a plan of rotation as one self-contained page: a time line, the days on which each step is safe, and the
/// share of users who are locked out.
package struct RotationPage {
    /// The measures of the drawing, in its own units.
    private enum Size {
        static let row = 26.0
        static let chart = 90.0
    }

    /// The width of the drawing, that of the names in it, and the number of months that are named.
    private var size = (width: 1000.0, names: 190.0, months: 12)

    private let rotation: Rotation
    private var plan: RotationPlan { rotation.plan }

    /// Creates the page of a course.
    package init(_ rotation: Rotation) { self.rotation = rotation }

    /// The text of the HTML page.
    package var text: String {
        let host = "\(plan.host)"
        return HTMLPage.text(
            title: "Day of rotation: \(host)",
            body: """
                <header>
                <h1>Day of rotation <span>\(MarkupText.escape(host))</span></h1>
                <p>\(day(plan.days.lowerBound)) to \(day(plan.days.upperBound)). Every version judges every day by its own
                policy; chains are taken as valid, but for their dates.</p>
                <p class="verdict">\(MarkupText.escape(verdict))</p>
                </header>
                <main>
                <section id="line"><h2>Who connects when</h2>
                \(narrowDrawing)
                \(drawing(class: "scroll"))
                <ul class="legend"><li><span class="sign detected">✓</span> connects</li>
                <li><span class="sign falseAlarm">?</span> connects, and accepts every other key</li>
                <li><span class="sign missed">✗</span> locked out</li></ul></section>
                <section id="summary"><h2>When each step is safe</h2>
                \(windows)
                \(proposal)
                <h2>What happens</h2>
                \(periods)</section>
                </main>
                """
        )
    }

    /// The verdict in a sentence.
    private var verdict: String {
        let tolerated = plan.tolerance > 0 ? " (\(percent(plan.tolerance)) are tolerated)" : ""
        let most = "\(percent(rotation.most)) of the users are locked out\(tolerated)."
        return rotation.isSafe ? "OK: at most \(most)" : "FAILED: up to \(most)"
    }

    // MARK: The drawing

    private func x(_ day: RotationPlan.Day) -> Double {
        let span = Double(plan.days.count)
        return size.names + (size.width - size.names) * Double(day - plan.days.lowerBound) / span
    }

    /// The drawing for narrow windows, which show it instead of the wide one.
    private var narrowDrawing: String {
        var page = self
        page.size = (360, 60, 4)
        return page.drawing(class: "narrow")
    }

    private func drawing(class kind: String) -> String {
        let rows = plan.releases.count + 1
        let bottom = Double(rows) * Size.row + 24
        let height = bottom + Size.chart + 34
        var parts = [
            "<div class=\"\(kind)\"><svg viewBox=\"0 0 \(Int(size.width)) \(Int(height))\" role=\"img\" "
                + "style=\"font: 11px system-ui, sans-serif\" "
                + "aria-label=\"\(MarkupText.escape(verdict))\">"
        ]
        for (index, step) in plan.server.enumerated() {
            let next = index + 1 < plan.server.count ? plan.server[index + 1].day : plan.days.upperBound + 1
            let shade = index.isMultiple(of: 2) ? "var(--panel)" : "var(--line)"
            parts += bar(row: 0, max(step.day, plan.days.lowerBound)..<max(next, step.day), shade, step.title)
        }
        parts += name("the server", row: 0)
        for (index, release) in plan.releases.enumerated() {
            parts += name(release.version, row: index + 1)
            for (days, standing) in runs(of: index) {
                parts += bar(row: index + 1, days, colour(of: standing), words(for: standing))
            }
        }
        parts += chart(top: bottom, height: Size.chart)
        parts += ticks(bottom: bottom + Size.chart)
        return (parts + ["</svg></div>"]).joined(separator: "\n")
    }

    /// The days in a row on which a release has the same standing.
    private func runs(of release: Int) -> [(days: Range<RotationPlan.Day>, standing: Rotation.Standing)] {
        var runs: [(days: Range<RotationPlan.Day>, standing: Rotation.Standing)] = []
        for day in plan.days {
            guard let standing = rotation.standings(on: day)[release] else { continue }
            if let last = runs.last, last.standing == standing, last.days.upperBound == day {
                runs[runs.count - 1].days = last.days.lowerBound..<(day + 1)
            } else {
                runs.append((day..<(day + 1), standing))
            }
        }
        return runs
    }

    private func name(_ text: String, row: Int) -> [String] {
        let y = Double(row) * Size.row + 16
        return [
            "<text x=\"0\" y=\"\(y)\" fill=\"currentColor\">\(MarkupText.escape(cut(text, Int(size.names / 6.3))))</text>"
        ]
    }

    private func bar(row: Int, _ days: Range<RotationPlan.Day>, _ colour: String, _ title: String) -> [String]
    {
        guard !days.isEmpty else { return [] }
        let (left, right) = (x(days.lowerBound), x(days.upperBound))
        let y = Double(row) * Size.row
        let label = "\(title), \(day(days.lowerBound)) to \(day(days.upperBound - 1))"
        // A bar has its words in it if there is room for them.
        let room = Int((right - left) / 6.5)
        let inside = room > 3 ? cut(title, room) : ""
        return [
            "<rect x=\"\(left)\" y=\"\(y)\" width=\"\(right - left)\" height=\"\(Size.row - 4)\" rx=\"2\" "
                + "fill=\"\(colour)\"><title>\(MarkupText.escape(label))</title></rect>",
            "<text x=\"\(left + 5)\" y=\"\(y + 15)\" fill=\"\(ink(on: colour))\" pointer-events=\"none\">"
                + "\(MarkupText.escape(inside))</text>",
        ]
    }

    /// The share of users who are locked out on each day.
    private func chart(top: Double, height: Double) -> [String] {
        let shares = plan.days.map { day in
            zip(rotation.standings(on: day), plan.shares(on: day)).reduce(0.0) { sum, pair in
                if case .lockedOut? = pair.0 { sum + pair.1 } else { sum }
            }
        }
        let most = max(shares.max() ?? 0, plan.tolerance, 0.05)
        let y = { (share: Double) in top + height - height * share / most }
        var points = ["\(x(plan.days.lowerBound)),\(top + height)"]
        for (day, share) in zip(plan.days, shares) {
            points += ["\(x(day)),\(y(share))", "\(x(day + 1)),\(y(share))"]
        }
        points.append("\(x(plan.days.upperBound + 1)),\(top + height)")
        var parts = [
            "<text x=\"0\" y=\"\(top + 12)\" fill=\"currentColor\">"
                + "\(size.names > 100 ? "locked out, up to " : "")\(percent(most))</text>",
            "<polygon points=\"\(points.joined(separator: " "))\" fill=\"var(--missed)\" opacity=\".75\"/>",
        ]
        if plan.tolerance > 0 {
            parts.append(
                "<line x1=\"\(size.names)\" x2=\"\(size.width)\" y1=\"\(y(plan.tolerance))\" y2=\"\(y(plan.tolerance))\" "
                    + "stroke=\"currentColor\" stroke-dasharray=\"4 3\"><title>tolerated: \(percent(plan.tolerance))</title></line>"
            )
        }
        return parts
    }

    /// The first days of months below the chart, some of them named.
    private func ticks(bottom: Double) -> [String] {
        let months = plan.days.filter { day($0).hasSuffix("-01") }
        let every = max(1, (months.count + size.months - 1) / size.months)
        return months.enumerated().flatMap { index, month in
            let place = x(month)
            let line =
                "<line x1=\"\(place)\" x2=\"\(place)\" y1=\"\(bottom)\" y2=\"\(bottom + 5)\" stroke=\"currentColor\"/>"
            guard index.isMultiple(of: every) else { return [line] }
            let text =
                "<text x=\"\(place)\" y=\"\(bottom + 18)\" fill=\"currentColor\">\(day(month).prefix(7))</text>"
            return [line, text]
        }
    }

    private func colour(of standing: Rotation.Standing) -> String {
        switch standing {
        case .works: "var(--detected)"
        case .unprotected: "var(--alarm)"
        case .lockedOut: "var(--missed)"
        }
    }

    private func ink(on colour: String) -> String {
        switch colour {
        case "var(--detected)": "var(--detected-ink)"
        case "var(--alarm)": "var(--alarm-ink)"
        case "var(--missed)": "var(--missed-ink)"
        default: "currentColor"
        }
    }

    private func words(for standing: Rotation.Standing) -> String {
        switch standing {
        case .works: "✓ connects"
        case .unprotected: "? accepts any key"
        case .lockedOut(let reason): "✗ locked out (\(reason))"
        }
    }

    // MARK: The tables

    private var windows: String {
        let windows = rotation.windows
        guard !windows.isEmpty else { return "<p>The plan has one step only.</p>" }
        let rows = windows.map { window in
            let safe = [window.first, window.last].map { $0.map(day) ?? "never" }
            let isSafe = window.first.map { first in (first...(window.last ?? first)).contains(window.planned)
            }
            let mark = isSafe == true ? "detected\">✓" : "missed\">✗"
            return [window.title, day(window.planned), safe[0], safe[1]].map(MarkupText.escape)
                .enumerated().map {
                    $0.offset == 1 ? "<span class=\"sign \(mark)</span> \($0.element)" : $0.element
                }
        }
        return table(["step", "planned", "safe from", "last safe day"], rows)
    }

    private var proposal: String {
        guard !rotation.isSafe else { return "" }
        let items = rotation.proposal.map { title, day in
            let text = day.map { "\(title) on \(self.day($0))" } ?? "no day is safe for “\(title)”"
            return "<li>\(MarkupText.escape(text))</li>"
        }
        return "<p>Instead:</p><ul>\(items.joined())</ul>"
    }

    private var periods: String {
        table(
            ["from", "until", "the server", "locked out", "users at most", "on the last day"],
            rotation.periods.map { period in
                let versions = zip(plan.releases, period.standings).compactMap {
                    release,
                    standing -> String? in
                    guard case .lockedOut(let reason)? = standing else { return nil }
                    return "\(release.version) (\(reason))"
                }
                return [
                    day(period.days.lowerBound), day(period.days.upperBound), plan.server[period.step].title,
                    versions.isEmpty ? "nobody" : versions.joined(separator: ", "),
                    percent(period.lockedOut.most), percent(period.lockedOut.last),
                ].map(MarkupText.escape)
            }
        )
    }

    /// A table; its cells are HTML.
    private func table(_ titles: [String], _ rows: [[String]]) -> String {
        let head = titles.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let body = rows.map { row in
            let cells = zip(titles, row).map { "<td data-label=\"\($0)\">\($1)</td>" }
            return "<tr>\(cells.joined())</tr>"
        }.joined(separator: "\n")
        return """
            <div class="scroll"><table class="numbers"><thead><tr>\(head)</tr></thead>
            <tbody>\(body)</tbody></table></div>
            """
    }

    private func cut(_ text: String, _ count: Int) -> String {
        text.count <= count ? text : text.prefix(max(1, count - 1)) + "…"
    }

    /// A day as yyyy-MM-dd.
    private func day(_ day: RotationPlan.Day) -> String {
        CalendarDate.text(Timestamp(seconds: Int64(day) * 86_400))
    }

    private func percent(_ share: Double) -> String { RotationPage.percent(share) }

    /// A share as a number of percent with one digit behind the point.
    package static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        guard tenths > 0 || share == 0 else { return "less than 0.1 %" }
        return tenths.isMultiple(of: 10) ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
