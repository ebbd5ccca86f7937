import PinholeFiles
import PinholeModel
import PinholeSession
import PinholeWire
import Subprocess

extension ProtobufSchema {
    /// The maximum size of a descriptor set; all of Google's own interfaces together have 20 MiB.
    private static let fileBytes = 64 << 20
    /// The maximum size of protoc's messages.
    private static let messageBytes = 64 << 10

    /// Reads `.proto` files, with everything that they import, and descriptor sets.
    ///
    /// - Parameters:
    ///   - paths: The files; a name that ends with `.proto` is a source, anything else is a descriptor set.
    ///   - patience: The longest time for one run of protoc: an import may name a device or a pipe, which has no end.
    /// - Returns: All declarations; `nil` without a file.
    /// - Throws: ``CommandFailure`` if a file cannot be read, with the place of the mistake in a `.proto` file.
    static func read(
        _ paths: [String],
        patience: Duration = .seconds(20)
    ) async throws(CommandFailure) -> ProtobufSchema? {
        guard !paths.isEmpty else { return nil }
        // Descriptor sets that follow each other are one set, and the last declaration of a name counts. The well-known
        // types come first: a set need not bring them, and can have its own.
        var all = WellKnownTypes.descriptorSet
        for path in paths {
            let isSource = path.hasSuffix(".proto")
            let set = isSource ? try await descriptorSet(of: path, patience) : try content(of: path)
            // Each file is read alone as well, so that a failure names it.
            _ = try schema(of: set, path)
            all += set
        }
        return try schema(of: all, paths.joined(separator: ", "))
    }

    private static func schema(
        of set: [UInt8],
        _ path: String
    ) throws(CommandFailure) -> ProtobufSchema {
        do throws(ProtobufFailure) {
            return try ProtobufSchema(descriptorSet: set)
        } catch {
            let remedy = "the name of a file with declarations as text ends with .proto"
            throw CommandFailure(.usage, "\(path): \(error)", remedy: remedy)
        }
    }

    /// Returns the descriptor set that protoc makes of a file and its imports.
    ///
    /// A file does not say from which folder the paths of its imports begin. So the folders above it are tried, from the
    /// nearest one. If none of them has everything, they are tried with the well-known types of Pinhole.
    private static func descriptorSet(
        of path: String,
        _ patience: Duration
    ) async throws(CommandFailure) -> [UInt8] {
        let file = FilePath.real(path)
        guard File.exists(at: file) else { throw CommandFailure(.usage, "there is no file \(path)") }
        var first: String?
        var said = ""
        for others in [[], WellKnownTypes.descriptorSet] {
            var folder = file
            first = nil
            repeat {
                folder = FilePath.folder(of: folder)
                let answer = try await protoc(file, below: folder, or: others, within: patience)
                if let set = answer.set { return set }
                said = answer.said
                first = first ?? quotable(said, below: folder, besides: file)
                // Other faults than a missing import are the same from each folder.
            } while said.contains("not found") && folder != "/"
            guard said.contains("not found") else { break }
        }
        let reason = first.flatMap { $0.isEmpty ? nil : $0 }
        throw CommandFailure.usage(
            "protoc does not read \(path): \(reason ?? "a file that it imports has errors, or cannot be read")"
        )
    }

    /// Returns the messages of protoc about a document and the files in its folder.
    ///
    /// A document of somebody else can import any file, and protoc quotes what it finds there.
    ///
    /// - Parameters:
    ///   - said: The messages, each with the name of its file in front.
    ///   - folder: The folder in which the names begin.
    ///   - file: The document.
    /// - Returns: The messages that may be shown.
    static func quotable(_ said: String, below folder: String, besides file: String) -> String {
        let own = FilePath.folder(of: file)
        let document = file.dropFirst(folder == "/" ? 1 : folder.count + 1)
        return said.split(separator: "\n").filter { line in
            guard !line.hasPrefix("\(document):") else { return true }
            let name = line.prefix { $0 != ":" }
            let path = FilePath.real(FilePath.absolute(String(name), in: folder))
            return File.kind(of: path) == .regular && (own == "/" || path.hasPrefix("\(own)/"))
        }.joined(separator: "\n")
    }

    /// The descriptor set that protoc made, or `nil` if it failed, and its messages.
    private typealias Answer = (set: [UInt8]?, said: String)

    /// Runs protoc, and ends it when its time is over.
    ///
    /// - Parameters:
    ///   - file: The `.proto` file.
    ///   - folder: The folder from which the paths of imports begin.
    ///   - others: A descriptor set with files that protoc reads if they are neither there nor installed with it.
    ///   - patience: The longest time.
    /// - Returns: What protoc made and said.
    /// - Throws: ``CommandFailure`` if protoc cannot be run, or its time is over.
    private static func protoc(
        _ file: String,
        below folder: String,
        or others: [UInt8],
        within patience: Duration
    ) async throws(CommandFailure) -> Answer {
        let result = await withTaskGroup(of: Result<Answer, CommandFailure>?.self) { group in
            group.addTask {
                do throws(CommandFailure) {
                    return .success(try await protoc(file, below: folder, or: others))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let result else {
            throw CommandFailure.usage(
                "protoc did not come to the end of \(file) and its imports within \(patience.secondsText)",
                remedy: "look for an import that names a pipe or a device"
            )
        }
        return try result.get()
    }

    private static func protoc(
        _ file: String,
        below folder: String,
        or others: [UInt8]
    ) async throws(CommandFailure) -> Answer {
        // protoc reads “:” and “=” in --proto_path as separators, so the folder is its working directory. The name of
        // the file begins with “./”, so that it is read neither as an option (“-”) nor as a file of options (“@”).
        let below = file.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
        let name = "./" + String(decoding: below, as: UTF8.self)
        var arguments = ["--include_imports", "--descriptor_set_out=/dev/stdout", "--proto_path=.", name]
        if !others.isEmpty { arguments.insert("--descriptor_set_in=/dev/stdin", at: 0) }
        do {
            let result = try await Subprocess.run(
                .name("protoc"),
                arguments: Arguments(arguments),
                workingDirectory: Self.path(folder),
                input: .array(others),
                output: .bytes(limit: fileBytes),
                error: .string(limit: messageBytes)
            )
            let isDone = result.terminationStatus.isSuccess
            return (isDone ? result.standardOutput : nil, result.standardError.trimmed)
        } catch {
            throw CommandFailure(
                "protoc, which reads .proto files, could not be run: \(error)",
                remedy: "apt install protobuf-compiler, or name a descriptor set that protoc made elsewhere"
            )
        }
    }

    /// Converts a text to the path type of a module that this file does not import.
    private static func path<Path: ExpressibleByStringLiteral>(_ text: String) -> Path
    where Path.StringLiteralType == String { Path(stringLiteral: text) }

    private static func content(of path: String) throws(CommandFailure) -> [UInt8] {
        try CommandFailure.wrapping("could not read the descriptor set") {
            try InputFile.content(of: path, limit: fileBytes)
        }
    }
}
