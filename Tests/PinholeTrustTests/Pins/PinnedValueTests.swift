import PinholeTrust
import Testing

@Suite("Pinned values")
struct PinnedValueTests {
    private static let one = FakeFacts.certificate("one")
    private static let two = FakeFacts.certificate("two")

    @Test(
        "every notation matches its certificate and moves to another",
        arguments: PinnedValue.Notation.allCases
    )
    func notations(notation: PinnedValue.Notation) throws {
        let value = PinnedValue(notation, try #require(notation.bytes(of: Self.one)))
        #expect(value.matches(Self.one) && !value.matches(Self.two))
        let moved = try #require(value.moved(to: Self.two))
        #expect(moved.notation == notation && moved.matches(Self.two) && !moved.matches(Self.one))
    }

    @Test("a key without a raw form has no raw pin")
    func noRawForm() {
        let bare = FakeFacts.certificate("bare", raw: false)
        #expect(PinnedValue(.rawKeySHA256, [1]).moved(to: bare) == nil)
    }

    @Test("pins become values and come back")
    func pins() {
        let pin = FakeFacts.pin(Self.one)
        #expect(Pin(PinnedValue(pin)) == pin)
        #expect(Pin(PinnedValue(.keySHA1, Self.one.spkiSHA1))?.algorithm == .sha1)
        #expect(Pin(PinnedValue(Self.one)) == nil)
        #expect(PinnedValue(Self.one).certificate == Self.one)
    }

    @Test("a key that was encoded anew is the same key")
    func encodedAnew() {
        let explicit = FakeFacts.certificate("explicit", key: "point", parameters: "explicit")
        #expect(PinnedValue(.key, explicit.key).matches(explicit))
    }
}
