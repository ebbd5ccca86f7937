package import PinholeFiles
import PinholeModel
import PinholeRuntime
package import PinholeTrust

/// A plan of rotation in JSON (docs/PINS.md#the-day-of-rotation).
package struct RotationDocument {
    /// Gives access to the files of a git tag.
    package typealias Tags = (_ tag: String) throws(PolicyFailure) -> FileAccess

    /// The days that a plan goes on behind its last step if it names no end.
    private static let rest = 365
    /// The longest plan, in days.
    private static let longest = 1830
    /// The days that a certificate is valid if the plan does not say it: longer than any plan.
    private static let lifetime = 36_500
    private static let seconds: Int64 = 86_400
    /// The digest of the key of a root that the plan does not name; no file pins it.
    private static let unknownKey = [UInt8](repeating: 0xd7, count: 32)

    private let files: FileAccess
    private let tags: Tags
    private let roots: [CertificateFacts]
    /// A root: the digest of its key, and its last day; `nil` for the one of the step.
    private struct Root: Hashable {
        let key: [UInt8]
        let end: RotationPlan.Day?
    }

    /// The digests of the keys that the server has: leaf, issuing CA and roots.
    private struct Keys: Hashable {
        var leaf: [UInt8]?
        var issuer: [UInt8]?
        var roots: [Root] = []
    }

    /// The keys of the step before.
    private var keys = Keys()

    /// Reads a plan.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - files: The policies and chains that the plan may name.
    ///   - tags: Gives access to the policies of git tags.
    ///   - roots: The CAs of the system, which complete the chains.
    /// - Returns: The plan.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func read(
        _ text: [UInt8],
        files: FileAccess,
        tags: @escaping Tags,
        roots: [CertificateFacts]
    ) throws(PolicyFailure) -> RotationPlan {
        do throws(DocumentFailure) {
            var document = RotationDocument(files: files, tags: tags, roots: roots)
            return try document.plan(JSONValue(parsing: text))
        } catch {
            throw PolicyFailure("\(error)")
        }
    }

    private init(files: FileAccess, tags: @escaping Tags, roots: [CertificateFacts]) {
        self.files = files
        self.roots = roots
        self.tags = tags
    }

    private mutating func plan(_ value: JSONValue) throws(DocumentFailure) -> RotationPlan {
        var object = try DocumentObject(value, path: "")
        let host = try object.require(
            "host",
            DocumentValue.parsed { (text) throws(AddressFailure) in try Host(InternationalName.ascii(text)) }
        )
        let steps = try object.require("server", Self.entries)
        let apps = try object.require("releases", Self.entries)
        let from = try object.value("from", nil, DocumentValue.optional(Self.day))
        let until = try object.value("until", nil, DocumentValue.optional(Self.day))
        let tolerance = try object.value("tolerance", 0, Self.percent)
        var adoption = RotationPlan.Adoption()
        try object.section("adoption") { (section) throws(DocumentFailure) in
            let days = try section.value("halfLife", 14, DocumentValue.integer(in: 1...1000))
            adoption.halfLife = Double(days)
            adoption.never = try section.value("never", adoption.never, Self.percent)
        }
        try object.finish()
        var server: [RotationPlan.ServerStep] = []
        for (index, step) in steps.enumerated() {
            server.append(try self.step(step, "server[\(index)]", number: index, host))
        }
        var releases: [RotationPlan.Release] = []
        for (index, app) in apps.enumerated() { releases.append(try release(app, "releases[\(index)]")) }
        let events = server.map(\.day) + releases.map(\.day)
        let first = from ?? events.min() ?? 0
        let last = until ?? (events.max() ?? 0) + Self.rest
        guard first <= last, last - first <= Self.longest else {
            throw DocumentFailure(
                path: "until",
                expected: "a day within \(Self.longest) days behind “from”",
                found: "\(last - first) days"
            )
        }
        return RotationPlan(
            host: host,
            days: first...last,
            server: server,
            releases: releases,
            adoption: adoption,
            tolerance: tolerance
        )
    }

    private func release(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> RotationPlan.Release {
        var object = try DocumentObject(value, path: path)
        let day = try object.require("day", Self.day)
        let version = try object.require("version", DocumentValue.word)
        let file = try object.require("policy", DocumentValue.word)
        let tag = try object.value("tag", nil, DocumentValue.optional(DocumentValue.word))
        try object.finish()
        let read = try PolicyReader.parsed("\(path).policy") { () throws(PolicyFailure) in
            let access = try tag.map(tags) ?? files
            return try NamedFiles(access).parsed(
                file,
                as: "a policy file, all of whose files are there",
                remedy: "pinhole pins check"
            ) { content in
                let read = try PolicyFile.read(content, name: file, files: access.beside(file))
                return (policy: read.policy, file: content)
            }
        }
        return RotationPlan.Release(day: day, version: version, policy: read.policy, file: read.file)
    }

    private mutating func step(
        _ value: JSONValue,
        _ path: String,
        number: Int,
        _ host: Host
    ) throws(DocumentFailure) -> RotationPlan.ServerStep {
        var object = try DocumentObject(value, path: path)
        let day = try object.require("day", Self.day)
        let title = try object.value("title", nil, DocumentValue.optional(DocumentValue.word))
        let file = try object.value("chain", nil, DocumentValue.optional(DocumentValue.word))
        let before = keys
        var isNew = file != nil
        try object.section("keys") { (section) throws(DocumentFailure) in
            let pin = DocumentValue.optional(Self.digest)
            let leaf = try section.value("leaf", nil, pin)
            let issuer = try section.value("issuer", nil, pin)
            let roots = try section.value("root", [], Self.roots)
            isNew = isNew || leaf != nil || issuer != nil || !roots.isEmpty
            keys = Keys(
                leaf: leaf ?? keys.leaf,
                issuer: issuer ?? keys.issuer,
                roots: roots.isEmpty ? keys.roots : roots
            )
        }
        let end = try object.value("expires", nil, DocumentValue.optional(Self.day))
        try object.finish()
        if let file {
            let chain = try PolicyReader.parsed("\(path).chain") { () throws(PolicyFailure) in
                try NamedFiles(files).parsed(
                    file,
                    as: "the chain of a server with the server's own certificate",
                    remedy: "pinhole pins show",
                    limit: NamedFiles.evidenceBytes
                ) { try ServerPath(content: $0, from: file, roots: self.roots).certificates }
            }
            keys = Keys(
                leaf: chain.first?.spkiSHA256,
                issuer: chain.count > 2 ? chain[1].spkiSHA256 : nil,
                roots: chain.count > 1 ? chain.suffix(1).map { Root(key: $0.spkiSHA256, end: nil) } : []
            )
            return RotationPlan.ServerStep(day: day, title: title ?? named(before, number), paths: [chain])
        }
        guard let leaf = keys.leaf, isNew || number > 0 else {
            throw DocumentFailure(
                path: path,
                expected: "“chain” (a file) or “keys” with the pin of “leaf”",
                found: "neither"
            )
        }
        let last = end ?? day + Self.lifetime
        guard day <= last else {
            throw DocumentFailure(
                path: "\(path).expires",
                expected: "a day behind “day”",
                found: "an earlier one"
            )
        }
        let certificate = {
            (subject: String, role: UInt8, key: [UInt8], names: [Host], end: RotationPlan.Day) in
            // No two steps have a certificate in common, so that a pinned certificate matches none of them.
            let identifier = [role, UInt8(truncatingIfNeeded: number)] + key.dropFirst(2)
            let validity = Self.moment(min(day, end))...(Self.moment(end + 1) - .seconds(1))
            return CertificateFacts.assumed(subject, identifier: identifier, key: key, names: names, validity)
        }
        let lower =
            [certificate("CN=\(host)", 1, leaf, [host], last)]
            + (keys.issuer.map { [certificate("CN=Issuing CA", 2, $0, [], last)] } ?? [])
        let roots = keys.roots.isEmpty ? [Root(key: Self.unknownKey, end: nil)] : keys.roots
        let paths = roots.map { lower + [certificate("CN=Root", 3, $0.key, [], $0.end ?? last)] }
        return RotationPlan.ServerStep(day: day, title: title ?? named(before, number), paths: paths)
    }

    private static func moment(_ day: RotationPlan.Day) -> Timestamp {
        Timestamp(seconds: Int64(day) * seconds)
    }

    /// The change since the step before, in a few words.
    private func named(_ before: Keys, _ number: Int) -> String {
        guard number > 0 else { return "the first certificate" }
        var changes: [String] = []
        if keys.leaf != before.leaf { changes.append("new key") }
        if keys.issuer != before.issuer { changes.append("new issuing CA") }
        if keys.roots != before.roots {
            changes.append(Set(before.roots).isSubset(of: keys.roots) ? "cross-signed" : "new root")
        }
        return changes.isEmpty ? "renewal with the same key" : changes.joined(separator: ", ")
    }

    private static func entries(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [JSONValue] {
        guard case .array(let values) = value, (1...100).contains(values.count) else {
            throw value.failure(at: path, expected: "a list of 1 to 100 objects")
        }
        return values
    }

    /// Reads a day such as `2027-01-31`; `nil` for other text.
    package static func day(_ text: String) -> RotationPlan.Day? {
        CalendarDate.start(of: text).map { RotationPlan.Day($0.seconds / seconds) }
    }

    private static func day(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> RotationPlan.Day {
        let text = try DocumentValue.string(value, path)
        guard let day = day(text) else {
            throw value.failure(at: path, expected: "a day such as “2027-01-31”")
        }
        return day
    }

    /// A share in percent.
    private static func percent(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Double {
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        guard let number, (0...100).contains(number) else {
            throw value.failure(at: path, expected: "a number of percent, 0 to 100")
        }
        return number / 100
    }

    private static func digest(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [UInt8] {
        let text = try DocumentValue.string(value, path)
        return try PolicyReader.parsed(path) { () throws(PolicyFailure) in try Pin(text).digest }
    }

    /// Reads a root or a list of roots, each a pin or `{"pin": …, "expires": …}`.
    private static func roots(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [Root] {
        if case .array = value { return try DocumentValue.list(root)(value, path) }
        return [try root(value, path)]
    }

    private static func root(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Root {
        guard case .object = value else { return Root(key: try digest(value, path), end: nil) }
        var object = try DocumentObject(value, path: path)
        let key = try object.require("pin", digest)
        let end = try object.require("expires", day)
        try object.finish()
        return Root(key: key, end: end)
    }
}
