import Testing

@testable import PinholeLab

@Suite("The text of an observation")
struct ObservationTextTests {
    @Test("pins of the lab's own keys are left out: a subject stays, others are counted")
    func pins() {
        let pin = "sha256/" + String(repeating: "A", count: 43) + "="
        let text = "its pins: \(pin) (CN=a), \(pin) (CN=b); configured: \(pin), \(pin); or \(pin)"
        #expect(Observation.withoutPins(text) == "its pins: CN=a, CN=b; configured: 2 pins; or a pin")
    }
}
