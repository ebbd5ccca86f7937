import PinholeSource
import PinholeTrust

extension SourceReader {
    /// The Info.plist that an Expo app.config in JavaScript or TypeScript makes.
    static let expo = SourceReader(
        title: "Expo configuration",
        marks: ["infoPlist", "NSPinnedDomains", "NSAppTransportSecurity"],
        commonMarks: ["infoPlist"],
        languages: [.script]
    ) { reading in
        ExpoReader.read(&reading)
    }
}

private enum ExpoReader {
    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        for index in code.tokens.indices {
            let token = code.tokens[index]
            // `infoPlist.NSAppTransportSecurity = {…}` and `NSAppTransportSecurity: {…}`.
            guard (token.text ?? token.lastName) == "NSAppTransportSecurity" else { continue }
            let end = code.isMark("]", at: index + 1) ? index + 1 : index
            guard let place = reading.assigned(at: end) else {
                if code.isMark(".", at: index + 1) || token.qualifier != nil {
                    reading.undecided(at: index, by: "NSAppTransportSecurity")
                }
                continue
            }
            let value = reading.evaluator.value(at: place, before: reading.valueEnd(from: place))
            var list = SourcePropertyList()
            guard case .dictionary(let members)? = list.converted(value, code.line(of: place)) else {
                reading.notes.notLiteral(value.code, line: code.line(of: place))
                continue
            }
            for (expression, line) in list.unknown { reading.notes.notLiteral(expression, line: line) }
            do throws(PolicyFailure) {
                let node = PropertyListNode(
                    value: .dictionary(members),
                    path: .root("NSAppTransportSecurity")
                )
                reading.add(try AppleDocument.policy(node, &reading.notes))
            } catch {
                reading.notes.fail(.unreadable, reading.path(index), "\(error).", "Fix the configuration.")
            }
        }
    }
}
