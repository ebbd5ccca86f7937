import Testing

@testable import PinholeRules

@Suite("BodyText")
struct BodyTextTests {
    @Test(
        "takes text by its type",
        arguments: [
            "text/plain", "TEXT/HTML; charset=UTF-8", "application/json",
            "application/problem+json;charset=\"utf-8\"",
            "application/xml", "application/soap+xml", "application/x-www-form-urlencoded", "image/svg+xml",
            "text/plain; charset=iso-8859-1",
        ]
    )
    func text(type: String) { #expect(BodyText.obstacle(toText: [0xff], type: type) == nil) }

    @Test(
        "refuses invalid values",
        arguments: ["image/png", "application/octet-stream", "application/protobuf"]
    )
    func binary(type: String) {
        #expect(BodyText.obstacle(toText: [0x41], type: type) == BodyObstacle(text: "\(type) is not a text"))
        #expect(BodyText.obstacle(toJSON: [0x41], type: type) == BodyObstacle(text: "\(type) is not JSON"))
    }

    @Test("refuses characters that bytes do not tell")
    func charset() {
        #expect(
            BodyText.obstacle(toText: [], type: "text/plain; charset=UTF-16")
                == BodyObstacle(text: "text in utf-16 cannot be changed, only UTF-8 and what is like ASCII")
        )
    }

    @Test("without a type looks at the bytes")
    func untyped() {
        #expect(BodyText.obstacle(toText: Array("tea".utf8), type: nil) == nil)
        #expect(BodyText.obstacle(toText: [0x41, 0], type: nil) != nil)
        #expect(BodyText.obstacle(toText: [0xff], type: "") != nil)
        #expect(BodyText.obstacle(toJSON: [0xff], type: nil) == nil)
    }
}
