import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeModel

/// The configurations that the user has confirmed, and the CAs and tokens that were made here, remembered by digest in the
/// state directory.
///
/// The digest of a configuration covers the path and the content, because the same text in another folder runs other
/// programs. A CA is remembered by its key.
package struct ConfigurationConsent: Sendable {
    /// The user's directories, one of which holds the digests.
    package var places: Places

    /// Creates the store of digests in the user's directories.
    package init(places: Places = Places()) { self.places = places }

    /// Refuses a configuration whose effects the user has to confirm, and has not confirmed.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - path: Its file.
    ///   - content: The text of the file.
    /// - Throws: ``CommandFailure`` that lists the effects and says how to confirm them.
    package func check(
        _ configuration: Configuration,
        at path: String,
        _ content: [UInt8]
    ) throws(CommandFailure) {
        let consequences = configuration.consequences(in: FilePath.folder(of: path))
        guard !consequences.isEmpty, !isGiven(path, content) else { return }
        throw CommandFailure(
            "\(Plain.printable(path)) is not used, because you have not confirmed its present content: it "
                + consequences.joined(separator: "; it "),
            remedy: "read the file; if you want all of that: pinhole config trust \(ShellWord.quoted(path))"
        )
    }

    /// Whether the user has confirmed this content of this file.
    package func isGiven(_ path: String, _ content: [UInt8]) -> Bool {
        isKept(name(of: path, content))
    }

    /// Remembers that the user has confirmed this content of this file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - content: Its text.
    /// - Throws: ``CommandFailure`` when the state directory cannot be written.
    package func give(_ path: String, _ content: [UInt8]) throws(CommandFailure) {
        try keep(name(of: path, content))
    }

    /// Returns whether the state directory remembers a name.
    package func isKept(_ name: String) -> Bool {
        guard let name = try? file(name) else { return false }
        let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? FileGuard.current.check(descriptor, name, .secret, holding: "what you confirmed")) != nil
    }

    /// Remembers a name in the state directory.
    ///
    /// - Throws: ``CommandFailure`` when the state directory cannot be written.
    package func keep(_ name: String) throws(CommandFailure) {
        try places.makeStateDirectory()
        let name = try file(name)
        _ = mkdir(FilePath.folder(of: name), 0o700)
        let descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                "could not remember that in \(name): \(String(cString: strerror(errno)))",
                remedy: "make room, or set XDG_STATE_HOME to a directory that can be written"
            )
        }
        close(descriptor)
    }

    /// Counts a confirmed configuration as confirmed again after the console has rewritten it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - before: The old text; `nil` if there was no file.
    ///   - after: The new text.
    package func carryOver(_ path: String, from before: [UInt8]?, to after: [UInt8]) {
        if isHarmless(path, after) { return }
        if let before, !isHarmless(path, before), !isGiven(path, before) { return }
        // If the digest cannot be written, the next start asks the user again, which does no harm.
        try? give(path, after)
    }

    private func isHarmless(_ path: String, _ content: [UInt8]) -> Bool {
        guard let configuration = try? ConfigurationFile(named: path).parse(content) else { return false }
        return configuration.consequences(in: FilePath.folder(of: path)).isEmpty
    }

    private func name(of path: String, _ content: [UInt8]) -> String {
        Hexadecimal.encode(Digest.sha256(Array(FilePath.real(path).utf8) + [0] + content))
    }

    private func file(_ name: String) throws(CommandFailure) -> String {
        "\(try places.stateDirectory())/trusted/\(name)"
    }
}
