import PinholeModel
import PinholeTelemetry
import Testing

@testable import PinholeCommand

@Suite("The collector of the environment")
struct TelemetryOptionsTests {
    @Test("the environment adds fields and attributes, and chooses the encoding")
    func environment() {
        var settings = CollectorSettings()
        settings.attributes = [Span.Attribute(name: "team", value: .text("a"))]
        settings.apply([
            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20x, api-key = 1 ,broken,=nothing",
            "OTEL_RESOURCE_ATTRIBUTES": "team=b",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
        ])
        #expect(
            settings.fields == [
                HeaderLine("authorization", "Bearer x"), HeaderLine("api-key", "1"),
            ]
        )
        #expect(settings.encoding == .json)
        let teams = ["a", "b"].map { Span.Attribute(name: "team", value: .text($0)) }
        #expect(settings.attributes == teams)
        let resource = SpanResource(version: "1", machine: "", instance: "i", more: settings.attributes)
        #expect(resource.attributes.filter { $0.name == "team" } == [teams[1]])
    }

    @Test("no field ends its line and begins another")
    func lines() {
        var settings = CollectorSettings()
        settings.apply(["OTEL_EXPORTER_OTLP_HEADERS": "a=1%0d%0aHost:%20other,b c=2,d=3"])
        #expect(settings.fields == [HeaderLine("d", "3")])
    }
}
