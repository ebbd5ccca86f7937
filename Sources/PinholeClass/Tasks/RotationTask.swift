package import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeTrust

/// Lesson 6: a plan that changes a key too early, and the check of the student's plan.
package struct RotationTask: Sendable {
    /// The plan as the student gets it.
    package let plan: String
    /// The policy files of the plan by their paths beside it.
    package let policies: [String: String]
    /// The last day of the first certificate, and the planned day of the change.
    package let end: String
    /// The day of the new key in the plan as the student gets it.
    package let change: String

    private static let tolerance = 5

    /// Makes the plan of a world.
    package init(_ names: ClassNames) throws(CryptoFailure) {
        let today = try names.pin("bank")
        let next = try names.pin("backup")
        let begin = "\(names.year + 1)-01-04T00:00:00Z"
        let release = 30 + names.seed.number("release", below: 60)
        let first = ClassNames.day(0, after: begin)
        let second = ClassNames.day(release, after: begin)
        change = ClassNames.day(release + 7 + names.seed.number("change", below: 14), after: begin)
        end = ClassNames.day(release + 120 + names.seed.number("end", below: 60), after: begin)
        plan = """
            {"host": "\(names.bank)", "until": "\(ClassNames.day(release + 300, after: begin))",
             "tolerance": \(Self.tolerance),
             "server": [
               {"day": "\(first)", "title": "the key of today", "keys": {"leaf": "sha256/\(today)"}, "expires": "\(end)"},
               {"day": "\(change)", "title": "new key", "keys": {"leaf": "sha256/\(next)"}}],
             "releases": [
               {"day": "\(first)", "version": "1.0", "policy": "1.0/pins.txt"},
               {"day": "\(second)", "version": "1.1", "policy": "1.1/pins.txt"}]}

            """
        policies = [
            "1.0/pins.txt": "\(names.bank) sha256/\(today)\n",
            "1.1/pins.txt": "\(names.bank) sha256/\(today)\n\(names.bank) sha256/\(next)\n",
        ]
    }

    /// The first day on which the new key is safe in the plan as the student gets it.
    var firstDay: String {
        let first = (try? rotation(plan, policies))?.firstSafeDay(ofStep: 1)
        return first.map { ClassNames.day($0, after: "1970-01-01T00:00:00Z") } ?? "none"
    }

    /// The number of days by which the plan, as the student gets it, changes the key too early.
    var daysTooEarly: Int {
        let first = ClassNames.time(0, after: "\(firstDay)T00:00:00Z")
        let planned = ClassNames.time(0, after: "\(change)T00:00:00Z")
        return max(0, Int((first.microseconds - planned.microseconds) / 86_400_000_000))
    }

    /// Reads a plan with policy files.
    ///
    /// - Parameters:
    ///   - text: The plan.
    ///   - files: The contents of the policy files by their paths.
    /// - Returns: The course of the plan.
    /// - Throws: ``PolicyFailure`` with the place of the fault.
    func rotation(_ text: String, _ files: [String: String]) throws(PolicyFailure) -> Rotation {
        Rotation(
            try RotationDocument.read(
                Array(text.utf8),
                files: .memory(files.mapValues { Array($0.utf8) }),
                tags: { (tag) throws(PolicyFailure) in
                    throw PolicyFailure("the plan of the lesson has files and no git tags, such as “\(tag)”")
                },
                roots: []
            )
        )
    }

    /// Whether two plans differ in nothing but the day of the new key.
    func differsInDayAlone(_ text: String) -> Bool {
        guard let own = Self.withoutDay(plan), let other = Self.withoutDay(text) else { return false }
        return own == other
    }

    private static func withoutDay(_ text: String) -> JSONValue? {
        guard case .object(var members)? = try? JSONValue(parsing: Array(text.utf8)),
            case .array(var steps)? = members["server"], steps.count == 2,
            case .object(var step) = steps[1]
        else { return nil }
        step["day"] = nil
        steps[1] = .object(step)
        members["server"] = .array(steps)
        return .object(members)
    }
}
