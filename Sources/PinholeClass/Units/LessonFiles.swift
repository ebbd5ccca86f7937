import PinholeFiles

/// The files that students read and edit, made anew by a reset.
package struct LessonFiles {
    private let world: ClassWorld
    private let language: ClassLanguage

    /// Creates the files of a world in a language.
    package init(_ world: ClassWorld, _ language: ClassLanguage) {
        self.world = world
        self.language = language
    }

    /// Writes the files of a lesson into the folder; what the student changed is replaced.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - folder: The folder of the class.
    /// - Throws: ``ClassFailure`` if a file cannot be written, or ``CryptoFailure`` when OpenSSL fails.
    package func write(_ lesson: Int, to folder: ClassFolder) throws {
        for (name, text) in try files(lesson) { try folder.write(text, to: "lesson-\(lesson)/\(name)") }
        guard lesson == 1 else { return }
        for name in Self.recordings {
            // The recordings are made when a class starts for the first time.
            guard let packets = try? File.content(of: folder.file("world/\(name)")) else { continue }
            try folder.write(packets, to: "lesson-1/\(name)")
        }
    }

    /// Writes the files of all lessons of the class that do not exist.
    ///
    /// - Throws: ``ClassFailure`` if a file cannot be written, or ``CryptoFailure`` when OpenSSL fails.
    package func writeMissing(to folder: ClassFolder) throws {
        for lesson in world.lessons.numbers {
            for (name, text) in try files(lesson)
            where !File.exists(at: folder.file("lesson-\(lesson)/\(name)")) {
                try folder.write(text, to: "lesson-\(lesson)/\(name)")
            }
        }
    }

    /// The recordings of lesson 1.
    package static let recordings = ["plain.pcapng", "tls.pcapng"]

    /// Returns the name of the file of a lesson that students edit; `nil` if it has none.
    package static func edited(_ lesson: Int) -> String? { ClassUnits.unit(lesson)?.edited }

    private func files(_ lesson: Int) throws -> [(name: String, text: String)] {
        try ClassUnits.unit(lesson)?.files(world, language) ?? []
    }
}
