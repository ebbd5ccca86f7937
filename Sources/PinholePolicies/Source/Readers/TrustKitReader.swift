import PinholeSource
import PinholeTrust

extension SourceReader {
    /// TrustKit's configuration in source code: dictionaries of Swift, Objective-C and Kotlin, and the options of
    /// react-native-ssl-public-key-pinning, which uses TrustKit on iOS.
    static let trustKit = SourceReader(
        title: "TrustKit configuration",
        marks: ["kTSKPinnedDomains", "TSKPinnedDomains", TrustKitReader.reactFunction]
    ) { reading in
        var reader = TrustKitReader()
        reader.read(&reading)
    }
}

private struct TrustKitReader {
    /// The function of react-native-ssl-public-key-pinning whose argument has the domains.
    static let reactFunction = "initializeSslPinning"
    /// The names that the React Native package gives to TrustKit's keys.
    private static let reactKeys = [
        "publicKeyHashes": "TSKPublicKeyHashes", "includeSubdomains": "TSKIncludeSubdomains",
        "expirationDate": "TSKExpirationDate",
    ]

    private var unknown: [(code: String, line: Int)] = []

    mutating func read(_ reading: inout SourceReading) {
        guard let list = configuration(reading) else {
            let place = reading.code.tokens.firstIndex { token in
                (token.text ?? token.lastName).map {
                    Self.key($0) == "TSKPinnedDomains" || $0 == Self.reactFunction
                } == true
            }
            reading.notes.unproven(
                reading.path(place ?? 0),
                "The dictionary of domains behind TSKPinnedDomains is not written out in this file.",
                "Write it out, or check the app's Info.plist."
            )
            return
        }
        for (code, line) in unknown { reading.notes.notLiteral(code, line: line) }
        do throws(PolicyFailure) {
            let node = PropertyListNode(value: list, path: .root(""))
            reading.add(try TrustKitDocument.policy(node, &reading.notes, on: Self.platform(reading.code)))
        } catch {
            guard reading.notes.obstacle == nil else { return }
            reading.notes.fail(.unreadable, .root(""), "\(error).", "Fix the configuration.")
        }
    }

    /// The dictionary with the domains, and the settings beside it.
    private mutating func configuration(_ reading: SourceReading) -> PropertyListValue? {
        let code = reading.code
        for start in code.tokens.indices {
            let word = code.tokens[start].text ?? code.tokens[start].lastName
            guard word.map(Self.key) == "TSKPinnedDomains" || word == Self.reactFunction else { continue }
            var index = start + 1
            // A colon, an arrow, an equals sign, `to` or a bracket stands between.
            while let token = code[index],
                token.isMark(of: ":(]=>,") || token.name == "to"
            {
                index += 1
            }
            guard index < code.tokens.count else { continue }
            let value = reading.evaluator.value(at: index, before: reading.valueEnd(from: index))
            var list = SourcePropertyList(key: Self.key)
            if case .dictionary(let members)? = list.converted(value, code.line(of: index)), !members.isEmpty
            {
                unknown = list.unknown
                var root: [String: PropertyListValue] = ["TSKPinnedDomains": .dictionary(members)]
                root[Self.userAnchors] = exception(reading)
                return .dictionary(root)
            }
        }
        return nil
    }

    /// The setting by which CAs that the user installed pass without a pin.
    private static let userAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"

    /// The value of the setting of the same code; `nil` if it has none.
    private mutating func exception(_ reading: SourceReading) -> PropertyListValue? {
        let code = reading.code
        let place = code.tokens.indices.first {
            (code.tokens[$0].text ?? code.tokens[$0].lastName).map(Self.key) == Self.userAnchors
        }
        guard let place, let start = reading.assigned(at: place) else { return nil }
        let value = reading.evaluator.value(at: start, before: reading.valueEnd(from: start))
        var list = SourcePropertyList(key: Self.key)
        if case .boolean(let truth)? = list.converted(value, code.line(of: start)) { return .boolean(truth) }
        unknown.append((value.code, code.line(of: place)))
        return nil
    }

    /// The system by the libraries that the code imports.
    private static func platform(_ code: SourceCode) -> TrustKitDocument.Platform {
        if code.words.contains("UIKit") { return .iOS }
        return code.words.isDisjoint(with: ["AppKit", "Cocoa"]) ? .unknown : .macOS
    }

    /// The name of a key without the `k` of the constant, or TrustKit's name for it.
    private static func key(_ name: String) -> String {
        reactKeys[name] ?? (name.hasPrefix("kTSK") ? String(name.dropFirst()) : name)
    }
}
