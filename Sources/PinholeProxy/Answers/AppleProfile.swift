import PinholeCrypto
import PinholeModel

/// The configuration profile by which iOS and macOS install a root certificate under a name.
///
/// Source: Apple, Device Management: `TopLevel` and `CertificateRoot`.
struct AppleProfile {
    let root: Certificate

    /// The property list.
    ///
    /// A new profile of the same CA replaces the old one, because its names come from the certificate.
    var text: String {
        let fingerprint = root.fingerprintSHA256
        let name = "pinhole.ca.\(Hexadecimal.encode(Array(fingerprint.prefix(8))))"
        let subject = MarkupText.escape(root.subject)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            \(Self.payload("Configuration", name, "Pinhole’s CA", fingerprint.prefix(16)))
            <key>PayloadDescription</key><string>The CA of a debugging proxy: \(subject). Remove it when you are done.</string>
            <key>PayloadContent</key><array><dict>
            \(Self.payload("com.apple.security.root", "\(name).root", subject, fingerprint.suffix(16)))
            <key>PayloadCertificateFileName</key><string>pinhole-ca.der</string>
            <key>PayloadContent</key><data>\(Base64.encode(root.der))</data>
            </dict></array>
            </dict></plist>

            """
    }

    /// The members that every payload has.
    private static func payload(
        _ type: String,
        _ identifier: String,
        _ title: String,
        _ bytes: ArraySlice<UInt8>
    ) -> String {
        """
        <key>PayloadType</key><string>\(type)</string>
        <key>PayloadVersion</key><integer>1</integer>
        <key>PayloadIdentifier</key><string>\(identifier)</string>
        <key>PayloadUUID</key><string>\(uuid(bytes))</string>
        <key>PayloadDisplayName</key><string>\(title)</string>
        """
    }

    /// Makes a UUID of version 8 (RFC 9562 §5.8) from 16 bytes of a digest.
    private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
        Hexadecimal.uuid(
            bytes.enumerated().map { place, byte in
                switch place {
                case 6: byte & 0x0f | 0x80
                case 8: byte & 0x3f | 0x80
                default: byte
                }
            }
        )
    }
}
