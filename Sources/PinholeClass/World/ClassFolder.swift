package import PinholeCrypto
package import PinholeFiles
import PinholeModel

/// The folder of a class, which holds everything that `pinhole class` makes.
package struct ClassFolder: Sendable {
    /// The student of a class, and the ports of its servers.
    package struct State: Codable, Sendable {
        /// The name of the student.
        package var student: String
        /// The key of the seed, in hexadecimal.
        package var key: String
        /// The year in which the class began.
        package var year: Int
        /// The code of the language.
        package var language: String
        /// The port of the servers with TLS.
        package var secure: UInt16
        /// The port of the servers without TLS.
        package var plain: UInt16
        /// The port of the proxy.
        package var proxy: UInt16
        /// The address of the servers; `nil` for 127.0.0.1.
        package var address: String?
        /// The user name and password of the proxy, with a colon between; `nil` if it asks for none.
        package var login: String?
        /// The chosen lessons, such as “1-8,10”; `nil` for the unit of eight.
        package var lessons: String?

        /// Creates a state.
        package init(
            _ names: ClassNames,
            _ language: ClassLanguage,
            secure: UInt16,
            plain: UInt16,
            proxy: UInt16
        ) {
            student = names.seed.student
            key = Hexadecimal.encode(names.seed.material)
            year = names.year
            self.language = language.rawValue
            self.secure = secure
            self.plain = plain
            self.proxy = proxy
        }

        /// The address of the servers, in the notation of a URL.
        package var servers: String { address ?? IPAddress.loopback.description }
        /// The language of the lessons.
        package var spoken: ClassLanguage { ClassLanguage(rawValue: language) ?? .english }
        /// The lessons of the class.
        package var choice: LessonChoice { lessons.flatMap { LessonChoice($0) } ?? .standard }

        /// Checks that the class has a lesson.
        ///
        /// - Throws: ``ClassFailure`` if the teacher did not choose the lesson.
        package func checkHas(_ number: Int) throws(ClassFailure) {
            guard !choice.numbers.contains(number) else { return }
            throw ClassFailure(
                "the class has no lesson \(number)",
                remedy:
                    "its lessons: \(choice); another choice: pinhole class start --lessons \(choice),\(number)"
            )
        }

        /// The seed of the student.
        package var seed: ClassSeed { ClassSeed(student, key: Hexadecimal.decode(key) ?? []) }
        /// The names of the world.
        package var names: ClassNames { ClassNames(seed, year: year) }
    }

    /// The path of the folder.
    package let path: String

    /// Creates the folder's description; nothing is read or written.
    package init(_ path: String) { self.path = path }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The directory of the proxy's CA.
    package var authority: String { file("ca") }
    /// The capture of the proxy.
    package var capture: String { file("capture.sqlite") }
    /// The roots that the phone trusts.
    package var roots: String { file("trust/device-roots.pem") }
    private var statePath: String { file("class.json") }

    /// Reads the state of the class.
    ///
    /// - Throws: ``ClassFailure`` if the folder holds no class.
    package func state() throws(ClassFailure) -> State {
        guard let text = File.text(of: statePath) else {
            throw ClassFailure(
                "there is no class in \(path)",
                remedy: "start one: pinhole class start; or name its folder: --directory DIR"
            )
        }
        guard let value = try? JSONValue(parsing: Array(text.utf8)),
            let state = try? value.decoded(as: State.self), ClassLanguage(rawValue: state.language) != nil,
            Hexadecimal.decode(state.key)?.count == 32, (2000...2900).contains(state.year),
            ClassSeed.isName(state.student)
        else {
            throw ClassFailure(
                "\(statePath) is damaged",
                remedy: "move the folder away, and start the class anew: pinhole class start --seed NAME"
            )
        }
        return state
    }

    /// Writes the state of the class, which only the user may read.
    package func write(_ state: State) throws(ClassFailure) {
        try write((try? JSONText.encoding(state, isSorted: true)) ?? "{}", to: "class.json", isSecret: true)
    }

    /// Writes a text into a file of the folder, whose folder is made if need be.
    package func write(_ text: String, to name: String, isSecret: Bool = false) throws(ClassFailure) {
        try write(Array(text.utf8), to: name, isSecret: isSecret)
    }

    /// Writes bytes into a file of the folder.
    package func write(_ bytes: [UInt8], to name: String, isSecret: Bool = false) throws(ClassFailure) {
        let place = file(name)
        try ClassFailure.wrapping("cannot write \(place)") {
            if let slash = place.lastIndex(of: "/") { try Folder.make(at: String(place[..<slash])) }
            try File.replace(bytes, at: place, mode: isSecret ? 0o600 : 0o666)
        }
    }

    /// The largest file that the policy of a student may name, in bytes.
    private static let largestFile = 1 << 20
    /// The most files of a lesson that its documents may name.
    private static let mostFiles = 100

    /// Returns the files of a lesson in memory, which are all that its documents may name.
    ///
    /// Nothing but regular files of the lesson's own folder is in the set: no links, no folders, no devices.
    package func lessonFiles(_ lesson: Int) -> FileAccess {
        let place = file("lesson-\(lesson)")
        guard let folders = try? FolderSet(place, [], option: "--files"),
            let names = try? Folder.names(in: place)
        else { return .memory([:]) }
        var files: [String: [UInt8]] = [:]
        for name in names.sorted() where files.count < Self.mostFiles {
            guard FilePath.target(ofLink: "\(place)/\(name)") == nil,
                let file = try? FileAccess.folders(folders).file(name, limit: Self.largestFile),
                let content = try? file.parsed(as: "a file", { $0 })
            else { continue }
            files[name] = content
        }
        return .memory(files)
    }

    /// The chains of an earlier start, by the names of their files.
    package func keptChains() -> [String: [Certificate]] {
        var kept: [String: [Certificate]] = [:]
        for name in (try? Folder.names(in: file("world"))) ?? [] where name.hasSuffix(".pem") {
            guard let text = File.text(of: file("world/\(name)")) else { continue }
            kept[String(name.dropLast(4))] = try? Certificate.parsePEM(text)
        }
        return kept
    }

    /// Writes the certificates of a world: what the lessons show, and all chains for the next start.
    package func write(_ world: ClassWorld) throws(ClassFailure) {
        for (name, chain) in world.chains {
            try write(chain.map(\.pem).joined(), to: "world/\(name).pem")
        }
        for name in (try? Folder.names(in: file("world"))) ?? []
        where name.hasSuffix(".pem") && world.chains[String(name.dropLast(4))] == nil
            // The files of a lesson stay when the class leaves it out, and so do its certificates.
            && !ClassSeed.isFileName(name.dropLast(4))
        {
            Folder.remove(file("world/\(name)"))
        }
        try write(world.deviceRoots.map(\.pem).joined(), to: "trust/device-roots.pem")
    }
}

/// The reason why a command of the class cannot do its work.
package struct ClassFailure: DescribedFailure, Sendable, CustomStringConvertible {
    /// The event, in a sentence.
    package let description: String
    /// The advice for the user; `nil` if none is known.
    package let remedy: String?

    /// Creates a failure.
    package init(_ description: String, remedy: String?) {
        self.description = description
        self.remedy = remedy
    }

    /// Creates a failure without advice.
    package init(_ description: String) { self.init(description, remedy: nil) }
}
