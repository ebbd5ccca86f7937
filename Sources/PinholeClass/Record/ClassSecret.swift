import PinholeFiles
import PinholeModel

/// The secret of a class, which a file beside the passwords keeps.
///
/// Nobody who does not have the secret can compute the answers from a student's name.
package enum ClassSecret {
    /// The name of the file.
    package static let file = "teacher.key"

    /// Returns the secret of the classes in a folder, and makes it at their first start.
    ///
    /// Classes that began before Pinhole made secrets go on without one, since another secret would change all
    /// their worlds.
    ///
    /// - Returns: The bytes; empty for classes without a secret.
    /// - Throws: ``ClassFailure`` if the file cannot be read or written, or other accounts can read it.
    package static func kept(in folder: String) throws(ClassFailure) -> [UInt8] {
        if let secret = try existing(in: folder) { return secret }
        guard !File.exists(at: ClassRoster.path(in: folder)) else { return [] }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = Hexadecimal.encode(bytes)
        try ClassFailure.wrapping("cannot write \(folder)/\(file)") {
            try Folder.make(at: folder)
            try File.replace(Array("\(text)\n".utf8), at: "\(folder)/\(file)", mode: 0o600)
        }
        return Array(text.utf8)
    }

    /// Returns the secret that a folder keeps; `nil` if it keeps none.
    ///
    /// - Parameter folder: The folder of all classes.
    /// - Returns: The bytes.
    /// - Throws: ``ClassFailure`` if the file is empty, or other accounts can read it.
    package static func existing(in folder: String) throws(ClassFailure) -> [UInt8]? {
        let path = "\(folder)/\(file)"
        guard File.exists(at: path) else { return nil }
        do throws(FileFault) {
            try FileGuard.current.check(path, .secret, holding: "the secret of the class")
        } catch {
            throw ClassFailure(error.problem, remedy: error.remedy)
        }
        let line = File.text(of: path)?.split(whereSeparator: \.isNewline).first ?? ""
        guard !line.isEmpty else {
            throw ClassFailure(
                "\(path): expected a secret in the first line, found none",
                remedy:
                    "bring the file back from a backup; with another secret, the worlds of all students differ"
            )
        }
        return Array(line.utf8)
    }
}
