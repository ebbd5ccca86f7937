import Glibc
import PinholeFiles
import PinholeModel

/// A private copy of a student's client.
///
/// A student may change the client while it is checked. So the file is read once, and exactly these bytes are looked at
/// and run, from a folder that only the user can enter and nobody writes to. The copy lasts as long as the object.
final class ClientCopy: Sendable {
    /// The folder of the copy, which holds nothing else.
    private let folder: String
    /// The path of the copy.
    let path: String
    /// The bytes that were read, which are also those of the copy.
    let content: [UInt8]

    /// Copies a client.
    ///
    /// - Parameter original: The path of the student's file.
    /// - Throws: ``ClassFailure`` if the file is too large or no regular file, or the copy cannot be made.
    init(of original: String) throws(ClassFailure) {
        let content = try Self.read(original)
        let folder = try Self.makeFolder()
        let path = "\(folder)/client.py"
        // From here on, the end of the copy removes the folder.
        (self.content, self.folder, self.path) = (content, folder, path)
        try ClassFailure.wrapping("the client cannot be copied to \(path)") {
            try File.write(content, to: path, isNew: true)
        }
        chmod(path, 0o400)
        chmod(folder, 0o500)
    }

    deinit {
        chmod(folder, 0o700)
        Folder.remove(folder)
    }

    private static func read(_ path: String) throws(ClassFailure) -> [UInt8] {
        // A student who is served does not see where the teacher's folder lies.
        let name = FilePath.name(of: path)
        let content = try ClassFailure.wrapping("\(name) cannot be read") {
            // A FIFO would let the check wait for a writer.
            let file = try Descriptor(opening: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
            return try file.read(upTo: ClassCheck.largestFile + 1)
        }
        guard content.count <= ClassCheck.largestFile else {
            throw ClassFailure("\(name) has more than \(ClassCheck.largestFile) bytes")
        }
        return content
    }

    private static func makeFolder() throws(ClassFailure) -> String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = named.isEmpty ? "/tmp" : named
        var template = Array("\(parent)/pinhole-class.XXXXXX".utf8CString)
        // mkdtemp creates with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw ClassFailure(
                "the client cannot be copied to \(parent): \(String(cString: strerror(errno)))",
                remedy: "set TMPDIR to a folder that can be written"
            )
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
