import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeSession
import PinholeTrust

/// A plan of rotation on disk, with the policy files that it names beside it or in git tags.
enum PlanFile {
    /// Reads a plan.
    ///
    /// - Parameters:
    ///   - plan: The file; “-” is standard input.
    ///   - files: The folders whose files the plan may name besides its own.
    /// - Returns: The plan.
    /// - Throws: ``CommandFailure`` with the place of the fault.
    static func read(_ plan: String, _ files: FilesOption) async throws(CommandFailure) -> RotationPlan {
        let document = try files.document(plan)
        do {
            let text = try document.content()
            let folder = plan == "-" ? "." : FilePath.folder(of: plan)
            let tagged = try await TaggedFiles(of: tags(in: text), in: folder.isEmpty ? "." : folder)
            defer { tagged.remove() }
            return try RotationDocument.read(
                text,
                files: document.files,
                tags: tagged.files(of:),
                roots: TrustBundle.systemRoots
            )
        } catch {
            throw CommandFailure("\(plan == "-" ? "standard input" : plan): \(error)")
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
}
