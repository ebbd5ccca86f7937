import PinholeFormats
import PinholeModel
import PinholeReports
import PinholeTrust

/// The course of a plan of rotation, as text for users.
struct RotationOutput {
    private let rotation: Rotation
    private var plan: RotationPlan { rotation.plan }

    init(_ rotation: Rotation) { self.rotation = rotation }

    /// Returns the periods, the days on which each step is safe, the verdict and a proposal.
    func text(_ style: Style) -> String {
        var lines = [
            "\(plan.host), \(Self.day(plan.days.lowerBound)) to \(Self.day(plan.days.upperBound))", "",
            style.paint("\("FROM".padded(to: 11)) \("UNTIL".padded(to: 11)) WHAT HAPPENS", .faint),
        ]
        for period in rotation.periods { lines += self.lines(of: period, style) }
        let windows = rotation.windows
        if !windows.isEmpty {
            let width = max(4, windows.map { TextLayout.columns(of: $0.title) }.max() ?? 0)
            lines += [
                "",
                style.paint(
                    "\("STEP".padded(to: width)) \("PLANNED".padded(to: 11)) "
                        + "\("SAFE FROM".padded(to: 11)) LAST SAFE DAY",
                    .faint
                ),
            ]
            lines += windows.map { window in
                let days = [window.planned, window.first, window.last].map { $0.map(Self.day) ?? "never" }
                return
                    "\(window.title.padded(to: width)) \(days[0].padded(to: 11)) \(days[1].padded(to: 11)) \(days[2])"
            }
        }
        return (lines + [""] + verdict(style)).joined(separator: "\n")
    }

    private func lines(of period: Rotation.Period, _ style: Style) -> [String] {
        let days = [period.days.lowerBound, period.days.upperBound].map { Self.day($0).padded(to: 11) }
        var lines = ["\(days[0]) \(days[1]) the server: \(plan.server[period.step].title)"]
        let indent = String(repeating: " ", count: 24)
        for (release, standing) in zip(plan.releases, period.standings) {
            switch standing {
            case .lockedOut(let reason):
                lines.append(indent + style.paint("\(release.version) is locked out (\(reason))", .red))
            case .unprotected:
                lines.append(
                    indent + style.paint("\(release.version) pins nothing: it accepts any key", .yellow)
                )
            case .works, nil: break
            }
        }
        if period.lockedOut.most > 0 {
            lines.append(
                "\(indent)\(RotationPage.percent(period.lockedOut.most)) of the users at most, "
                    + "\(RotationPage.percent(period.lockedOut.last)) on the last day"
            )
        }
        return lines
    }

    private func verdict(_ style: Style) -> [String] {
        let tolerance = plan.tolerance > 0 ? " (\(RotationPage.percent(plan.tolerance)) are tolerated)" : ""
        guard !rotation.isSafe else {
            return [
                style.paint(
                    "OK: at most \(RotationPage.percent(rotation.most)) of the users are locked out\(tolerance).",
                    .green
                )
            ]
        }
        let first = rotation.periods.first { $0.lockedOut.most > plan.tolerance }
        var lines = [
            style.paint(
                "FAILED: up to \(RotationPage.percent(rotation.most)) of the users are locked out"
                    + (first.map { ", from \(Self.day($0.days.lowerBound)) on" } ?? "") + tolerance + ".",
                .red
            )
        ]
        for (title, day) in rotation.proposal {
            lines.append(
                day.map { "Instead: \(title) on \(Self.day($0))." }
                    ?? "No day is safe for “\(title)”: first release a version that pins its key, "
                    + "and retire those that do not, or tolerate those who never update."
            )
        }
        return lines
    }

    /// A day as yyyy-MM-dd.
    static func day(_ day: RotationPlan.Day) -> String {
        CalendarDate.text(Timestamp(seconds: Int64(day) * 86_400))
    }
}

extension Rotation {
    /// The course of the plan as JSON; docs/PINS.md describes the keys.
    var json: JSONObject {
        let periods: [JSONObject] = periods.map { period in
            var lockedOut: [String: String] = [:]
            var unprotected: [String] = []
            for (release, standing) in zip(plan.releases, period.standings) {
                switch standing {
                case .lockedOut(let reason): lockedOut[release.version] = reason
                case .unprotected: unprotected.append(release.version)
                case .works, nil: break
                }
            }
            return [
                "from": RotationOutput.day(period.days.lowerBound),
                "until": RotationOutput.day(period.days.upperBound),
                "server": plan.server[period.step].title, "lockedOut": lockedOut,
                "unprotected": unprotected, "most": period.lockedOut.most, "last": period.lockedOut.last,
            ]
        }
        let steps: [JSONObject] = windows.map { window in
            [
                "title": window.title, "planned": RotationOutput.day(window.planned),
                "safeFrom": window.first.map(RotationOutput.day),
                "lastSafeDay": window.last.map(RotationOutput.day),
            ]
        }
        let other: [JSONObject] = (isSafe ? [] : proposal).map { step in
            ["title": step.title, "day": step.day.map(RotationOutput.day)]
        }
        return [
            "host": plan.host.description, "isSafe": isSafe, "most": most, "periods": periods,
            "steps": steps, "proposal": other,
        ]
    }
}
