import PinholeModel
import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Cronet's `addPublicKeyPins` in Java and Kotlin.
    static let cronet = SourceReader(
        title: "Cronet pins",
        marks: ["addPublicKeyPins"],
        signs: ["enablePublicKeyPinningBypassForLocalTrustAnchors"],
        languages: [.java, .kotlin]
    ) { reading in
        CronetReader.read(&reading)
    }
}

/// Reads the pins of Cronet, which judges like Android's pin-sets: by host, with subdomains and an expiration.
private enum CronetReader {
    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        var domains: [AndroidDomainSettings] = []
        for index in reading.places(of: ["addPublicKeyPins"]) where code.isMark("(", at: index + 1) {
            for run in reading.evaluator.runs(at: index) {
                let arguments = reading.evaluator.elements(in: index + 1, run).map(\.value)
                if let domain = domain(arguments, at: index, &reading) { domains.append(domain) }
            }
        }
        let passesUserAnchors = noteBypass(&reading)
        guard !domains.isEmpty else { return }
        let user = AndroidCertificates(.user, overridePins: true)
        let base = AndroidSettings(trustAnchors: [AndroidCertificates(.system), user])
        do throws(PolicyFailure) {
            let configuration = AndroidConfiguration(
                base: passesUserAnchors ? base : nil,
                domainConfigurations: domains
            )
            reading.add(try AndroidPolicy(configuration: configuration))
        } catch {
            reading.notes.unproven(
                reading.path(reading.places(of: ["addPublicKeyPins"]).first ?? 0),
                "Two calls give the same host pins.",
                "Give each host its pins in one call.",
                as: .hostNotLiteral
            )
        }
    }

    /// Notes that local trust anchors pass without a pin, unless the builder says otherwise.
    ///
    /// - Returns: Whether the code itself lets them pass, and not Cronet's default.
    private static func noteBypass(_ reading: inout SourceReading) -> Bool {
        let code = reading.code
        let name = "enablePublicKeyPinningBypassForLocalTrustAnchors"
        let place = reading.places(of: [name]).first { code.isMark("(", at: $0 + 1) }
        if let place, reading.evaluator.elements(in: place + 1).first?.value.truth == false {
            return false
        }
        let pins = reading.places(of: ["addPublicKeyPins"]).first ?? 0
        reading.notes.remark(
            .overridden,
            reading.path(place ?? pins),
            "Chains to CAs that the user installed pass without a pin"
                + (place == nil ? ", which is Cronet's default." : "."),
            "Call \(name)(false).",
            severity: .warning
        )
        return place != nil
    }

    private static func domain(
        _ arguments: [SourceValue],
        at index: Int,
        _ reading: inout SourceReading
    ) -> AndroidDomainSettings? {
        guard arguments.count >= 3 else { return nil }
        let pins = pins(arguments[1], at: index, &reading)
        guard let host = arguments[0].wholeText else {
            if reading.isFirst("cronet host \(arguments[0].code)") {
                reading.notes.hostNotLiteral(
                    arguments[0].code,
                    reading.path(index),
                    remedy: "Write it as .addPublicKeyPins(\"example.com\", …)."
                )
            }
            return nil
        }
        guard !pins.isEmpty else { return nil }
        let includesSubdomains = arguments[2].truth ?? false
        return AndroidDomainSettings(
            domains: [DomainRule(host, includesSubdomains ? .everything : .exact)],
            pinSet: AndroidPinSet(pins: pins, expiration: arguments.dropFirst(3).first.flatMap(date))
        )
    }

    /// The date of `Date(1767225600000L)`; `nil` for a date that code makes.
    private static func date(_ value: SourceValue) -> Timestamp? {
        guard case .call(let call) = value, call.name == "Date", call.arguments.count == 1 else { return nil }
        switch call.arguments.first?.value {
        case .integer(let milliseconds)?: return Timestamp(seconds: milliseconds / 1000)
        case .other(let expression)? where expression.code.hasSuffix("L"):
            return Int64(expression.code.dropLast()).map { Timestamp(seconds: $0 / 1000) }
        default: return nil
        }
    }

    /// The pins: arrays of bytes, which are made from Base64 or hexadecimal digits.
    private static func pins(_ value: SourceValue, at index: Int, _ reading: inout SourceReading) -> [Pin] {
        texts(in: value).compactMap { text in
            guard let text = text.whole else {
                reading.notes.notLiteral(text.code, line: reading.code.line(of: index))
                return nil
            }
            let digits = text.filter { $0 != ":" }
            if digits.utf8.count == 64, let bytes = Hexadecimal.decode(digits) { return Pin(digest: bytes) }
            let base64 = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
            return reading.notes.pin(base64, at: reading.path(index), needsPadding: false)
        }
    }

    /// The texts in an expression: `Base64.decode("…", Base64.DEFAULT)`, `"…".toByteArray()`, arrays of them.
    private static func texts(in value: SourceValue) -> [SourceText] {
        switch value {
        case .text(let text): [text]
        case .collection(let elements): elements.flatMap { texts(in: $0.value) }
        // `Base64.decode("…", Base64.DEFAULT)`: the text is the pin.
        case .call(let call):
            call.arguments.first.map { texts(in: $0.value) } ?? [SourceText([.expression(call.code)])]
        case .other(let expression): [SourceText([.expression(expression.code)])]
        case .boolean, .integer, .null, .closure: []
        }
    }
}
