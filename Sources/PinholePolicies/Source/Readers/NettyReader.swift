import PinholeModel
import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Netty's FingerprintTrustManagerFactory, which compares the fingerprint of the leaf alone.
    static let netty = SourceReader(
        title: "Netty fingerprints",
        marks: ["FingerprintTrustManagerFactory"],
        languages: [.java, .kotlin]
    ) { reading in
        NettyReader.read(&reading)
    }
}

private enum NettyReader {
    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        var fingerprints: [[UInt8]] = []
        var line = 1
        for index in reading.places(of: ["FingerprintTrustManagerFactory", "builder"]) {
            let token = code.tokens[index]
            let isBuilder = token.lastName == "builder"
            guard !isBuilder || token.qualifier?.hasSuffix("FingerprintTrustManagerFactory") == true,
                code.isMark("(", at: index + 1), code[index - 1]?.name != "class"
            else { continue }
            line = code.line(of: index)
            var texts = reading.evaluator.elements(in: index + 1).map(\.value)
            if isBuilder {
                // `builder("SHA-256").fingerprints("…").build()`
                let algorithm = texts.first?.wholeText
                let end = code.statementEnd(from: index)
                let call = (index..<end).first {
                    code.tokens[$0].lastName == "fingerprints" && code.isMark("(", at: $0 + 1)
                }
                guard let call else { continue }
                texts = reading.evaluator.elements(in: call + 1).map(\.value)
                guard algorithm == "SHA-256" || algorithm == "SHA256" else {
                    weak(algorithm ?? "a name", at: index, &reading)
                    continue
                }
            }
            take(texts, at: index, &fingerprints, &reading)
        }
        guard !fingerprints.isEmpty else { return }
        let policy = ServerVerification(
            "FingerprintTrustManagerFactory",
            .unchecked,
            names: .unchecked,
            pins: fingerprints.map { PinnedValue(.certificateSHA256, $0) },
            at: "line \(line)"
        )
        let patterns = reading.hosts.compactMap { try? HostPattern($0.uriText) }
        guard patterns.isEmpty else {
            reading.add(HostPolicies([(patterns, policy)], namesHosts: true))
            return
        }
        reading.add(policy)
    }

    private static func take(
        _ values: [SourceValue],
        at index: Int,
        _ fingerprints: inout [[UInt8]],
        _ reading: inout SourceReading
    ) {
        for value in values.flatMap({ $0.elements?.map(\.value) ?? [$0] }) {
            guard let text = value.wholeText else {
                reading.notes.notLiteral(value.code, line: reading.code.line(of: index))
                continue
            }
            let digits = text.filter { $0 != ":" && $0 != " " }
            // The constructors take SHA-1 alone.
            if digits.utf8.count == 40 {
                weak("SHA-1", at: index, &reading)
                continue
            }
            do throws(PolicyFailure) {
                let bytes = try PinnedValue(fingerprint: text).bytes
                if !fingerprints.contains(bytes) { fingerprints.append(bytes) }
            } catch {
                reading.notes.fail(
                    .notAPin,
                    reading.path(index),
                    "\(error).",
                    "Write what openssl x509 -noout -fingerprint -sha256 prints."
                )
            }
        }
    }

    private static func weak(_ algorithm: String, at index: Int, _ reading: inout SourceReading) {
        reading.notes.fail(
            .weakDigest,
            reading.path(index),
            "The fingerprints are \(algorithm) of whole certificates, by which the lab cannot make servers.",
            "Use FingerprintTrustManagerFactory.builder(\"SHA-256\")."
        )
    }
}
