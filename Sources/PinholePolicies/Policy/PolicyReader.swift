import PinholeModel
import PinholeTrust

/// Turns the values of a policy document into policies.
struct PolicyReader {
    /// Combinations in combinations are refused below this depth.
    private static let depthLimit = 16
    /// The files that the document may name.
    let files: NamedFiles
    private var depth = 0

    init(_ files: NamedFiles) { self.files = files }

    /// Reads a whole document.
    func document(_ value: JSONValue) throws(DocumentFailure) -> any TrustPolicy {
        guard case .array(let entries) = value else { return try entry(value, path: "") }
        guard !entries.isEmpty else {
            throw DocumentFailure(path: "", expected: "at least one policy", found: "an empty list")
        }
        var policies: [(patterns: [HostPattern], policy: any TrustPolicy)] = []
        for (index, entry) in entries.enumerated() {
            let path = "[\(index)]"
            var object = try DocumentObject(entry, path: path)
            let hosts = try object.require("hosts", Self.hosts)
            policies.append((hosts, try policy(of: &object, path: path)))
        }
        return HostPolicies(policies)
    }

    /// Reads a `{"mechanism": …, "policy": {…}}`.
    func entry(_ value: JSONValue, path: String) throws(DocumentFailure) -> any TrustPolicy {
        var object = try DocumentObject(value, path: path)
        return try policy(of: &object, path: path)
    }

    /// Reads a list of policies, for a combination.
    func entries(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [any TrustPolicy] {
        guard depth < Self.depthLimit else {
            throw DocumentFailure(
                path: path,
                expected: "at most \(Self.depthLimit) combinations in each other",
                found: "more"
            )
        }
        guard case .array(let values) = value else {
            throw value.failure(at: path, expected: "a list […]")
        }
        var reader = self
        reader.depth += 1
        var policies: [any TrustPolicy] = []
        for (index, value) in values.enumerated() {
            policies.append(try reader.entry(value, path: "\(path)[\(index)]"))
        }
        return policies
    }

    /// Reads the settings of a mechanism.
    func policy(
        _ mechanism: String,
        _ settings: JSONValue,
        path: String
    ) throws(DocumentFailure) -> any TrustPolicy {
        guard let found = PolicyMechanism.all.first(where: { $0.name == mechanism }) else {
            let names = PolicyMechanism.all.map(\.name)
            throw DocumentFailure(
                path: path.hasSuffix("policy") ? "\(path.dropLast(6))mechanism" : path,
                expected: "a known mechanism",
                found: "“\(DocumentPath.cut(mechanism))”",
                remedy: Remedy.nearest(to: mechanism, in: names)
                    ?? "write \(names.prefix(3).joined(separator: ", ")) or another one of docs/PINS.md#policy-documents"
            )
        }
        var object = try DocumentObject(settings, path: path)
        let policy = try found.read(self, &object)
        try object.finish()
        return policy
    }

    private func policy(
        of object: inout DocumentObject,
        path: String
    ) throws(DocumentFailure) -> any TrustPolicy {
        let mechanism = try object.require("mechanism", DocumentValue.word)
        var settings = JSONValue.object([:])
        try object.read("policy", into: &settings) { (value, _) throws(DocumentFailure) in value }
        let verifier = try object.value("verifier", nil, DocumentValue.choice(VerifierProfile.Name.self))
        try object.finish()
        let policy = try policy(mechanism, settings, path: path.isEmpty ? "policy" : "\(path).policy")
        return verifier.map { VerifiedPolicy(policy, by: .named($0)) } ?? policy
    }

    private static func hosts(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [HostPattern] {
        let pattern = DocumentValue.parsed { (text) throws(AddressFailure) in try HostPattern(text) }
        let hosts = try DocumentValue.list(pattern)(value, path)
        guard !hosts.isEmpty else {
            throw DocumentFailure(path: path, expected: "at least one host pattern", found: "an empty list")
        }
        return hosts
    }
}
