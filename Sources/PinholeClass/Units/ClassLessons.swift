package import PinholeCrypto
import PinholeModel

/// The lessons of one student's world, with the real names, ports and days.
package struct ClassLessons: Sendable {
    /// The number of lessons that exist.
    package static let count = LessonChoice.count

    /// The lessons of the class, in order.
    package let texts: [ClassText]

    /// Writes the lessons of a world.
    ///
    /// - Parameters:
    ///   - names: The names of the world.
    ///   - language: The language.
    ///   - state: The running class, for its ports and its lessons; `nil` for worksheets, which have placeholders instead
    ///     of ports, and all lessons.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(
        _ names: ClassNames,
        _ language: ClassLanguage,
        state: ClassFolder.State?
    ) throws(CryptoFailure) {
        var values = ["port": state.map { "\($0.secure)" } ?? "PORT"]
        values["plain"] = state.map { "\($0.plain)" } ?? "PORT"
        values["proxy"] = state.map { "\($0.proxy)" } ?? "PORT"
        values["address"] = state?.servers ?? IPAddress.loopback.description
        values["domain"] = names.domain
        for unit in ClassUnits.all {
            values.merge(try unit.values(names, language)) { $1 }
        }
        let chosen = (state?.choice ?? .all).numbers
        texts = ClassText.all(language, values).filter { chosen.contains($0.number) }
    }

    /// Returns the lesson with a number; `nil` if the class has none.
    package subscript(_ number: Int) -> ClassText? { texts.first { $0.number == number } }
}
