import PinholeFormats
import PinholeLab
import PinholeModel
import PinholeSession
import PinholeTrust

/// A day of a rotation as a program lived through it.
struct SimulatedDay: Sendable {
    /// A release, what was predicted for it, and the behaviour of the program.
    struct Release: Sendable {
        let version: String
        let predicted: Rotation.Standing
        let observation: Observation

        /// Whether the program did what was predicted.
        var isAsPredicted: Bool {
            let connects =
                switch predicted {
                case .works, .unprotected: true
                case .lockedOut: false
                }
            return connects ? observation.isRequest : observation.decision == .rejected
        }

        /// The prediction in a few words.
        var prediction: String {
            switch predicted {
            case .works: "connects"
            case .unprotected: "connects, without pins"
            case .lockedOut(let reason): "locked out (\(reason))"
            }
        }
    }

    let host: Host
    let day: RotationPlan.Day
    /// The change of the server that the day follows.
    let step: String
    var releases: [Release] = []

    /// Whether the program did what was predicted, with every release.
    var isAsPredicted: Bool { releases.allSatisfy(\.isAsPredicted) }

    var date: String { CalendarDate.text(Timestamp(seconds: Int64(day) * 86_400)) }
}

extension AuditText {
    private static let columns = (version: 12, prediction: 26, decision: 9)

    /// The lines above the releases of a day.
    func heading(of played: SimulatedDay) -> String {
        "\(played.host) on \(played.date), the server: \(Plain.printable(played.step))\n"
            + style.paint(row("RELEASE", "PREDICTED", "PROGRAM", "ON THE WIRE"), .faint)
    }

    /// Returns the line of a release: the prediction, and what the program did.
    func line(of release: SimulatedDay.Release) -> String {
        let decision =
            switch release.observation.decision {
            case .accepted where release.observation.isUnprotected: "no TLS"
            case .accepted: "connects"
            case .rejected: "refuses"
            case .undecided: "unknown"
            }
        return row(
            Plain.printable(release.version),
            release.prediction,
            style.paint(
                decision.padded(to: Self.columns.decision),
                release.isAsPredicted ? .green : .yellow
            ),
            release.observation.signal?.name ?? "no connection"
        )
    }

    /// Returns the number of releases with which the program did what was predicted.
    func summary(_ played: SimulatedDay) -> String {
        let others = played.releases.filter { !$0.isAsPredicted }
        let count = "\(played.releases.count - others.count) of \(played.releases.count) as predicted"
        guard let first = others.first else { return count }
        let reason = first.observation.unprotectedRemark ?? first.observation.summary
        let why = Plain.printable("\(first.version): \(reason)")
        return "\(count)\n" + style.paint("FAILED: \(why)", .yellow)
    }

    private func row(_ version: String, _ prediction: String, _ decision: String, _ signal: String) -> String
    {
        let columns = Self.columns
        return "\(version.padded(to: columns.version)) \(prediction.padded(to: columns.prediction)) "
            + "\(decision.padded(to: columns.decision)) \(signal)"
    }
}

extension SimulatedDay {
    /// The day as JSON.
    var json: JSONObject {
        let releases: [JSONObject] = releases.map { release in
            [
                "version": release.version, "predicted": release.prediction,
                "decision": release.observation.decision.rawValue,
                "signal": release.observation.signal?.name, "summary": release.observation.summary,
                "isAsPredicted": release.isAsPredicted,
            ]
        }
        return [
            "host": host.description, "day": date, "step": step, "isAsPredicted": isAsPredicted,
            "releases": releases,
        ]
    }
}
