/// Writes messages of Protocol Buffers by hand.
enum DescriptorBytes {
    static func bytes(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2] + length(content.count) + content
    }

    static func text(_ number: UInt8, _ text: String) -> [UInt8] { bytes(number, Array(text.utf8)) }

    static func number(_ number: UInt8, _ value: UInt8) -> [UInt8] { [number << 3, value] }

    private static func length(_ count: Int) -> [UInt8] {
        count < 128 ? [UInt8(count)] : [UInt8(count & 127) | 128, UInt8(count >> 7)]
    }

    static func field(
        _ name: String,
        _ place: UInt8,
        type: UInt8,
        _ typeName: String? = nil,
        repeated: Bool = false
    ) -> [UInt8] {
        let named = typeName.map { text(6, $0) } ?? []
        return bytes(
            2,
            text(1, name) + number(3, place) + number(4, repeated ? 3 : 1) + number(5, type) + named
        )
    }

    /// `package shop; message Tea { … }`, its enumeration, a map and a service.
    static let set: [UInt8] = {
        let entry =
            text(1, "CupsEntry") + field("key", 1, type: 9) + field("value", 2, type: 3)
            + bytes(7, number(7, 1))
        let tea =
            text(1, "Tea") + field("name", 1, type: 9) + field("some_readings", 2, type: 17, repeated: true)
            + field("kind", 3, type: 14, ".shop.Kind")
            + field("cups", 4, type: 11, ".shop.Tea.CupsEntry", repeated: true)
            + field("at", 5, type: 11, ".google.protobuf.Timestamp")
            + field("inner", 6, type: 11, ".shop.Tea")
            + field("weights", 7, type: 1, repeated: true) + field("big", 8, type: 4)
            + field("takes", 9, type: 11, ".google.protobuf.Duration")
            + field("any", 10, type: 11, ".google.protobuf.Any") + bytes(3, entry)
        let kind = text(1, "Kind") + bytes(2, text(1, "GREEN") + number(2, 1))
        let method = text(1, "Brew") + text(2, ".shop.Tea") + text(3, ".shop.Pot")
        let any = text(1, "Any") + field("type_url", 1, type: 9) + field("value", 2, type: 12)
        return bytes(
            1,
            text(1, "shop.proto") + text(2, "shop") + bytes(4, tea) + bytes(5, kind)
                + bytes(6, text(1, "Shop") + bytes(2, method))
        ) + bytes(1, text(2, "google.protobuf") + bytes(4, any))
    }()
}
