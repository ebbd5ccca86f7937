import CClassTexts
import PinholeCrypto
import PinholeFiles
import PinholeModel

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

    /// Writes the files of all lessons that do not exist.
    ///
    /// - Parameter folder: The folder of the class.
    /// - Throws: ``ClassFailure`` if a file cannot be written, or ``CryptoFailure`` when OpenSSL fails.
    package func writeMissing(to folder: ClassFolder) throws {
        for lesson in 1...ClassLessons.count {
            for (name, text) in try files(lesson)
            where !File.exists(at: folder.file("lesson-\(lesson)/\(name)")) {
                try folder.write(text, to: "lesson-\(lesson)/\(name)")
            }
        }
    }

    /// The recordings of lesson 1.
    package static let recordings = ["plain.pcapng", "tls.pcapng"]

    /// The files of the lessons that students edit, by the number of the lesson.
    package static let edited = [5: "policy.json", 6: "plan.json", 7: "client.py"]

    private func files(_ lesson: Int) throws -> [(name: String, text: String)] {
        let names = world.names
        switch lesson {
        case 1:
            let lines = names.documents.map { "\($0.name)  \($0.size) bytes\n" }
            return [("documents.txt", lines.joined())]
        case 2:
            let roots = world.deviceRoots.enumerated().map { CertificateText.text($1, number: $0 + 1) }
            return [
                ("chain.txt", CertificateText.chain(world.bank.chain)),
                ("device-roots.txt", roots.joined(separator: "\n")),
            ]
        case 4:
            let presented = world.stations.map { station in
                "\(station.host) presents\n" + CertificateText.text(station.identity.certificate, number: 1)
            }
            return [
                ("cards.txt", world.stations.map(card).joined(separator: "\n")),
                ("presented.txt", presented.joined(separator: "\n")),
            ]
        case 5:
            let pins = [("today", "bank"), ("backup", "backup")]
            let lines = try pins.map { title, key in "\(title): sha256/\(try names.pin(key))\n" }
            return [
                ("bank.txt", "\(names.bank)\n" + lines.joined()),
                ("policy.json", "{\"mechanism\": \"system\"}\n"),
            ]
        case 6:
            let task = try RotationTask(names)
            return [("plan.json", task.plan)] + task.policies.map { (name: $0.key, text: $0.value) }
        case 7: return [("client.py", Self.client(names.mark))]
        case 8:
            let cases = names.cases.enumerated().map { index, story in
                "case\(index + 1)\n  \(story.story(language, bank: names.bank.description))\n"
            }
            return [("cases.txt", cases.joined(separator: "\n"))]
        default: return []
        }
    }

    private func card(_ station: ClassStation) -> String {
        let card = station.published
        return """
            \(station.host)
              issuer       \(ClassNames.issuerName(world.names.organization))
              valid until  \(card.notAfter.iso8601.prefix(10))
              SHA-256      \(Digest.text(card.fingerprintSHA256))
              pin          \(card.pin)

            """
    }

    /// The client of lesson 7: it does not compare names, tries again without checks, and follows redirects to http.
    private static func client(_ mark: String) -> String {
        var count = 0
        let bytes = UnsafeBufferPointer(start: pinhole_client_py(&count), count: count)
        return String(decoding: bytes, as: UTF8.self).replacing("{mark}", with: mark)
    }
}
