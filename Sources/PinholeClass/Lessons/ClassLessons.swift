package import PinholeCrypto
import PinholeModel

/// The lessons of one student's world, with the real names, ports and days.
package struct ClassLessons: Sendable {
    /// The number of lessons.
    package static let count = 8

    /// The lessons, in order.
    package let texts: [ClassText]

    /// Writes the lessons of a world.
    ///
    /// - Parameters:
    ///   - names: The names of the world.
    ///   - language: The language.
    ///   - state: The running class, for its ports; `nil` for worksheets, which have placeholders instead.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(
        _ names: ClassNames,
        _ language: ClassLanguage,
        state: ClassFolder.State?
    ) throws(CryptoFailure) {
        let rotation = try RotationTask(names)
        var values = ["port": state.map { "\($0.secure)" } ?? "PORT"]
        values["address"] = state?.servers ?? IPAddress.loopback.description
        values["shop"] = names.shop.description
        values["clinic"] = names.clinic.description
        values["bank"] = names.bank.description
        values["station"] = names.stations.first?.description
        values["words"] = ClassStation.Role.allCases.map(\.rawValue).joined(separator: ", ")
        values["end"] = rotation.end
        values["change"] = rotation.change
        values["stations"] = Self.stationTasks(names, language)
        values["cases"] = Self.caseTasks(names, language)
        values["visible"] = names.visibleChoices(language)
        values["blind"] = names.blindChoices(language)
        values["wishes"] = names.wishesChoices(language)
        texts = ClassText.all(language, values)
    }

    /// Returns the lesson with a number; `nil` if there is none.
    package subscript(_ number: Int) -> ClassText? { texts.first { $0.number == number } }

    private static func stationTasks(_ names: ClassNames, _ language: ClassLanguage) -> String {
        names.stations.map { host in
            switch language {
            case .english:
                """
                ### \(ClassNames.task(of: host))
                \(host): a word, and the pin of the key that it presents.
                > Compare the fingerprint with the card first, then the pin, then the name, the dates and the issuer.
                > Same pin, other fingerprint: renewed. Other pin: look at the issuer and at the name.
                """
            case .german:
                """
                ### \(ClassNames.task(of: host))
                \(host): ein Wort und der Pin des Schlüssels, den der Server zeigt.
                > Vergleiche zuerst den Fingerabdruck mit der Karte, dann den Pin, den Namen, die Daten und die CA.
                > Gleicher Pin, anderer Fingerabdruck: renewed. Anderer Pin: Sieh dir die CA und den Namen an.
                """
            }
        }.joined(separator: "\n")
    }

    private static func caseTasks(_ names: ClassNames, _ language: ClassLanguage) -> String {
        names.cases.enumerated().map { index, story in
            let hint =
                language == .german
                ? "Wer kann es überhaupt bemerken: die App, die CA, die Besitzerin des Geräts, die Öffentlichkeit?"
                : "Which side can notice it at all: the app, the CA, the owner of the device, the public?"
            return """
                ### case\(index + 1)
                \(story.story(language, bank: names.bank.description))
                > \(hint)
                """
        }.joined(separator: "\n")
    }
}
