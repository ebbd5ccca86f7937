import PinholeLab
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeReports

@Suite("The lab's JSON report")
struct LabDocumentTests {
    @Test("a real run is read back as it was written")
    func roundTrip() async throws {
        let document = try await SampleRun.document()
        let again = try LabDocument(parsing: Array(document.json.utf8))
        #expect(again == document)
        #expect(again.json == document.json)
    }

    @Test("evidence of a miss: both chains, checks, handshake, bytes that were read")
    func miss() async throws {
        let document = try await SampleRun.document()
        let cell = try #require(document.cellsByPlace[LabDocument.Place("SYS", "A02")])
        #expect(cell.outcome == .missed && cell.isFault)
        let evidence = try #require(cell.evidence.first)
        #expect(evidence.decision == .accepted)
        #expect(evidence.honest.count == 2 && !evidence.presented.isEmpty)
        #expect(Set(evidence.honest).isDisjoint(with: evidence.presented))
        #expect(!evidence.validated.isEmpty && !evidence.checks.isEmpty)
        #expect(
            evidence.handshake.version == "TLSv1.3" && evidence.handshake.cipher?.hasPrefix("TLS_") == true
        )
        #expect(evidence.requests.count == 1 && evidence.requests[0].contains("api.pinned.test"))
        #expect(evidence.error == nil && evidence.alert == nil)
        let leaf = try #require(evidence.presented.first.flatMap { document.certificates[$0] })
        #expect(leaf.names == ["api.pinned.test"] && leaf.pin.hasPrefix("sha256/"))
        #expect(leaf.pem?.hasPrefix("-----BEGIN CERTIFICATE-----\n") == true)
    }

    @Test("evidence of a detection: the error, the alert, nothing read")
    func detection() async throws {
        let document = try await SampleRun.document()
        let cell = try #require(document.cellsByPlace[LabDocument.Place("SL", "A02")])
        let evidence = try #require(cell.evidence.first)
        #expect(cell.outcome == .detected && evidence.decision == .rejected)
        #expect(evidence.error?.domain == "NSURLErrorDomain" && evidence.error?.code ?? 0 < 0)
        #expect(evidence.alert != nil && evidence.requests.isEmpty)
        #expect(evidence.checks.contains { $0.outcome == .failed })
    }

    @Test("alerts, errors and handshakes that are half there survive")
    func evidence() throws {
        var document = SampleRun.made()
        var evidence = LabEvidence(.rejected, "“quoted”\u{1}\n")
        evidence.alert = Alert(code: 48)
        evidence.error = LabEvidence.ClientError(domain: "d", code: -1202, name: "n", detail: "\\ / \"")
        evidence.handshake.cipher = "TLS_AES_128_GCM_SHA256"
        evidence.checks = [Check("chain", .skipped, "not asked for")]
        document.cells[0].evidence = [evidence, evidence]
        document.shards = [try LabShard("2/3")]
        #expect(try LabDocument(parsing: Array(document.json.utf8)) == document)
    }

    @Test(
        "a document that is not one is refused, and says where",
        arguments: [
            ("\"version\":1", "\"version\":2", "version"),
            ("\"outcome\":\"detected\"", "\"outcome\":\"found\"", "cells[0].outcome"),
            ("\"policy\":\"mine\"", "\"policy\":\"yours\"", "cells[0].policy"),
            ("\"scenario\":\"A02\"", "\"scenario\":\"A03\"", "cells[0].scenario"),
            ("\"scenario\":\"A28\"", "\"scenario\":\"A02\"", "cells[1]: expected each cell once"),
            ("\"honest\":[]", "\"honest\":[\"ab\"]", "cells[0].evidence"),
            ("\"started\"", "\"begun\"", "started"),
            ("\"host\"", "\"extra\":1,\"host\"", "extra"),
            ("\"requests\":[]", "\"requests\":[],\"alert\":{\"name\":\"x\",\"code\":256}", "alert.code"),
            ("\"requests\":[]", "\"requests\":[],\"alert\":null", "evidence[0].alert"),
            ("\"requests\":[]", "\"requests\":[],\"error\":null", "evidence[0].error"),
            (
                "\"requests\":[]",
                "\"requests\":[],\"error\":{\"domain\":\"d\",\"code\":1000001,\"name\":\"n\",\"detail\":\"\"}",
                "error.code"
            ),
            ("\"host\"", "\"selection\":[\"\"],\"host\"", "selection[0]"),
            ("\"stance\"", "\"line\":0,\"stance\"", "policies[0].line"),
            ("\"stance\"", "\"line\":null,\"stance\"", "policies[0].line"),
            ("\"stance\"", "\"sha256\":\"\",\"stance\"", "policies[0].sha256"),
        ]
    )
    func refused(text: String, other: String, place: String) throws {
        let json = SampleRun.made().json
        let range = try #require(json.firstRange(of: text))
        let broken = json.replacing(text, with: other, subrange: range)
        let failure = #expect(throws: DocumentFailure.self) {
            try LabDocument(parsing: Array(broken.utf8))
        }
        #expect(failure?.description.contains(place) == true, "\(failure?.description ?? "")")
    }

    @Test("invalid JSON is refused", arguments: ["", "[]", "{", "null"])
    func noDocument(text: String) {
        #expect(throws: DocumentFailure.self) { try LabDocument(parsing: Array(text.utf8)) }
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String, subrange: Range<Index>) -> String {
        self[..<subrange.lowerBound] + other + self[subrange.upperBound...]
    }
}
