import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel

/// Lesson 1: plain HTTP and TLS in recordings.
struct WireLesson: ClassUnit {
    let number = 1

    func hosts(_ world: ClassWorld) -> [VirtualHost] {
        [VirtualHost(world.names.clinic, identity: world.clinic)]
    }

    func add(_ names: ClassNames, to routes: inout OriginRoutes) {
        routes.set("/") { request in
            request.reply(200, type: "text/plain", body: Array("Welcome to \(names.domain).\n".utf8))
        }
        routes.set("/basket") { request in
            request.reply(200, type: "text/plain", body: Array("Your basket is empty.\n".utf8))
        }
        for document in names.documents {
            routes.set("/\(document.name)") { request in
                let line = Array("\(names.seed.token(document.name, length: 31))\n".utf8)
                let body = (0..<document.size).map { line[$0 % line.count] }
                return request.reply(200, type: "text/plain", body: body)
            }
        }
    }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        [
            "shop": names.shop.description, "clinic": names.clinic.description,
            "visible": names.visibleChoices(language),
        ]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let lines = world.names.documents.map { "\($0.name)  \($0.size) bytes\n" }
        return [("documents.txt", lines.joined())]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        [
            "token": .own(names.token), "server": .own(names.clinic.description),
            "document": .text(names.document.name), "visible": .letters(names.visible),
        ]
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let names = check.names
        let text = trial == "name" ? names.clinic.description : "/\(names.document.name)"
        let recording = try File.content(
            of: check.folder.file("world/tls.pcapng"),
            upTo: ClassCheck.largestFile
        )
        let isReadable = recording.firstRange(of: Array(text.utf8)) != nil
        return TrialOutcome(
            choice: isReadable ? "readable" : "hidden",
            [
                // The text itself answers a task of this lesson.
                check.say(
                    "tls.pcapng has \(recording.count) bytes; the text is \(isReadable ? "" : "not ")among them",
                    "tls.pcapng hat \(recording.count) Bytes; der Text ist \(isReadable ? "" : "nicht ")darunter"
                )
            ]
        )
    }
}
