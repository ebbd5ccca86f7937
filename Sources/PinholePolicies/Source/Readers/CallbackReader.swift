import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Callbacks of .NET and Dart in which an app judges servers itself: whether one accepts every server.
    static let callbacks = SourceReader(
        title: "certificate callback",
        marks: CallbackReader.members + ["SslStream"],
        signs: ["DangerousAcceptAnyServerCertificateValidator"],
        languages: [.cSharp, .dart]
    ) { reading in
        CallbackReader.read(&reading)
    }
}

private enum CallbackReader {
    /// The members of .NET and Dart that take a callback.
    static let members: Set = [
        "ServerCertificateCustomValidationCallback", "ServerCertificateValidationCallback",
        "RemoteCertificateValidationCallback", "badCertificateCallback", "onBadCertificate",
        "validateCertificate",
    ]
    /// The callbacks of .NET and of Dart's gRPC that are ready to accept everything.
    private static let acceptors: Set = [
        "DangerousAcceptAnyServerCertificateValidator", "allowBadCertificates",
    ]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        readStreams(&reading)
        let comparesFingerprints = reading.found.contains { $0.title == SourceReader.fingerprints.title }
        for index in reading.places(of: members) {
            let name = code.tokens[index].lastName ?? ""
            guard let value = value(at: index, name, reading) else { continue }
            let limit = reading.valueEnd(from: value)
            if code.tokens[value..<limit].contains(where: { $0.lastName.map(acceptors.contains) == true }) {
                reading.acceptsEverything(at: index, by: name)
                continue
            }
            switch reading.answer(at: value, before: limit) {
            // The fingerprints are compared in a second callback.
            case .accepts where comparesFingerprints && name == "badCertificateCallback": break
            // dart:io has verified the chain before Dio asks.
            case .accepts where name == "validateCertificate": reading.neverRefuses(at: index, by: name)
            case .accepts: reading.acceptsEverything(at: index, by: name)
            // The callback of a bad certificate that refuses is the default.
            case .refuses: break
            case .undecided:
                if comparesFingerprints, name == "validateCertificate" { continue }
                reading.undecided(at: index, by: name)
                guard name == "badCertificateCallback" || name == "onBadCertificate",
                    reading.isFirst("bad \(index)")
                else { continue }
                reading.notes.remark(
                    .notEnforced,
                    reading.path(index),
                    "Dart calls \(name) for chains that the system refuses, and for no other chain.",
                    "Compare pins in validateCertificate of IOHttpClientAdapter."
                )
            }
        }
    }

    /// `new SslStream(stream, false, callback)`: the third argument judges the server.
    private static func readStreams(_ reading: inout SourceReading) {
        for index in reading.places(of: ["SslStream"]) where reading.code.isMark("(", at: index + 1) {
            guard let range = argument(2, of: index, reading) else { continue }
            let names = reading.code.tokens[range].compactMap(\.lastName)
            // A callback with its type in front is seen at that name.
            guard names != ["null"], !names.contains("RemoteCertificateValidationCallback") else { continue }
            let name = "The callback of SslStream"
            switch reading.answer(at: range.lowerBound, before: range.upperBound) {
            case .accepts: reading.acceptsEverything(at: index, by: name)
            case .refuses: break
            case .undecided: reading.undecided(at: index, by: name)
            }
        }
    }

    /// The tokens of an argument of a call, without its label; `nil` if the call has fewer arguments.
    private static func argument(_ number: Int, of index: Int, _ reading: SourceReading) -> Range<Int>? {
        let code = reading.code
        var start = index + 2
        for _ in 0..<number {
            let end = reading.valueEnd(from: start)
            guard code.isMark(",", at: end) else { return nil }
            start = end + 1
        }
        if code[start]?.name != nil, code.isMark(":", at: start + 1) { start += 2 }
        let end = reading.valueEnd(from: start)
        return start < end ? start..<end : nil
    }

    /// The callback behind a member that is set, `new RemoteCertificateValidationCallback(…)` included.
    private static func value(at index: Int, _ name: String, _ reading: SourceReading) -> Int? {
        let code = reading.code
        if name == "RemoteCertificateValidationCallback" {
            if code.isMark("(", at: index + 1) { return index + 2 }
            // A cast: `(RemoteCertificateValidationCallback)((a, b, c, d) => true)`.
            if code.isMark("(", at: index - 1), code.isMark(")", at: index + 1) { return index + 2 }
        }
        guard var value = reading.assigned(at: index) else { return nil }
        // `= new RemoteCertificateValidationCallback(…)` is seen at its own name.
        if code[value]?.name == "new" { value += 1 }
        return code[value]?.lastName == "RemoteCertificateValidationCallback" ? nil : value
    }
}
