import PinholeModel
import PinholePolicies
import PinholeTrust

/// A plan of rotation on disk, with the policy files that it names beside it or in git tags.
enum PlanFile {
    /// Reads a plan.
    ///
    /// - Parameter plan: The file; “-” is standard input.
    /// - Returns: The plan.
    /// - Throws: ``CommandFailure`` with the place of the fault.
    static func read(_ plan: String) async throws(CommandFailure) -> RotationPlan {
        do throws(PolicyFailure) {
            let text = try PolicyFile.content(of: plan == "-" ? "/dev/stdin" : plan)
            let folder = plan.lastIndex(of: "/").map { String(plan[..<$0]) } ?? "."
            let tagged = try await TaggedFiles(of: tags(in: text), in: folder)
            defer { tagged.remove() }
            return try RotationDocument.read(
                text,
                policies: { (file, tag) throws(PolicyFailure) in
                    let path = try tag.map { (tag) throws(PolicyFailure) in try tagged.path(of: file, in: tag)
                    }
                    let place = path ?? join(folder, file)
                    let content = try PolicyFile.content(of: place)
                    let read = try PolicyFile.read(
                        content,
                        name: tag.map { "\($0):\(file)" } ?? place,
                        certificates: PolicyFile.certificates(beside: place),
                        files: PolicyFile.files(beside: place)
                    )
                    return (read.policy, content)
                },
                chains: { (file) throws(PolicyFailure) in
                    try ServerPath(file: join(folder, file)).certificates
                }
            )
        } catch {
            throw CommandFailure(.couldNotRun, "\(plan == "-" ? "standard input" : plan): \(error)")
        }
    }

    /// The git tags in a plan; empty if it is none, which its reader tells.
    private static func tags(in text: [UInt8]) -> Set<String> {
        guard case .object(let members)? = try? JSONValue(parsing: text),
            case .array(let releases)? = members["releases"]
        else { return [] }
        return Set(
            releases.compactMap { release in
                guard case .object(let members) = release, case .string(let tag)? = members["tag"] else {
                    return nil
                }
                return tag
            }
        )
    }

    private static func join(_ folder: String, _ file: String) -> String {
        file.hasPrefix("/") ? file : "\(folder)/\(file)"
    }
}
