/// Writes the labels of internationalised names in ASCII (RFC 3492).
package enum Punycode {
    /// Encodes a label in lower case as an A-label: `bücher` is `xn--bcher-kva`.
    ///
    /// - Parameter label: One label, without dots.
    /// - Returns: The A-label; the label itself if it is ASCII.
    package static func label(_ label: some StringProtocol) -> String {
        let scalars = label.unicodeScalars.map(\.value)
        guard scalars.contains(where: { $0 >= 0x80 }) else { return String(label) }
        let basic = String(String.UnicodeScalarView(label.unicodeScalars.filter(\.isASCII)))
        var text = basic.isEmpty ? "" : basic + "-"
        var handled = UInt32(basic.unicodeScalars.count)
        var bias: UInt32 = 72
        var delta: UInt32 = 0
        var reached: UInt32 = 0x80
        // RFC 3492 §6.3: the code points in ascending order, each as the distance from the previous one.
        for next in Set(scalars.filter { $0 >= 0x80 }).sorted() {
            delta += (next - reached) * (handled + 1)
            reached = next
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                text += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic.unicodeScalars.count)
                delta = 0
                handled += 1
            }
            delta += 1
            reached += 1
        }
        return "xn--" + text
    }

    private static let base: UInt32 = 36

    /// Encodes a number with variable length (RFC 3492 §3.3).
    private static func digits(of number: UInt32, bias: UInt32) -> String {
        var text = ""
        var rest = number
        var position = base
        while true {
            let threshold = position <= bias ? 1 : min(26, position - bias)
            guard rest >= threshold else { return text + digit(rest) }
            text += digit(threshold + (rest - threshold) % (base - threshold))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
    }

    private static func digit(_ value: UInt32) -> String {
        String(UnicodeScalar(UInt8(truncatingIfNeeded: value < 26 ? 0x61 + value : 0x30 + value - 26)))
    }

    /// Adapts the bias (RFC 3492 §6.1).
    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var divisions: UInt32 = 0
        while rest > (base - 1) * 26 / 2 {
            rest /= base - 1
            divisions += base
        }
        return divisions + base * rest / (rest + 38)
    }
}
