extension PolicyFile.Kind {
    /// TrustKit's dictionary, alone, in an Info.plist or in source code.
    package static let trustKit = Self(rawValue: SourceReader.trustKit.title)
    /// NSAppTransportSecurity in an Info.plist.
    package static let apple = Self(rawValue: "Info.plist with NSAppTransportSecurity")
    /// network_security_config.xml.
    package static let android = Self(rawValue: "Android network security configuration")
    /// Our own JSON.
    package static let json = Self(rawValue: "policy document")
    /// Lines or source code with pins for CertificatePinner.
    package static let okHttp = Self(rawValue: SourceReader.okHttp.title)
    /// Alamofire's evaluators in Swift.
    package static let alamofire = Self(rawValue: SourceReader.alamofire.title)
    /// Fingerprints of certificates in Dart.
    package static let fingerprints = Self(rawValue: SourceReader.fingerprints.title)
    /// A callback of .NET or Dart that judges servers itself.
    package static let callback = Self(rawValue: SourceReader.callbacks.title)
    /// A value of curl's `--pinnedpubkey`, or the key file that it names.
    package static let curl = Self(rawValue: SourceReader.curlOptions.title)
    /// A Public-Key-Pins header.
    package static let hpkp = Self(rawValue: "HPKP header")
    /// An Expect-CT header.
    package static let expectCT = Self(rawValue: "Expect-CT header")
    /// TLSA records of DANE.
    package static let dane = Self(rawValue: "TLSA records")
    /// GnuTLS's known_hosts.
    package static let knownHosts = Self(rawValue: "known_hosts of GnuTLS")

    private static let documents: [Self] = [.apple, .android, .json, .hpkp, .expectCT, .dane, .knownHosts]

    /// All kinds: those of documents, of source code, and of configurations.
    package static var allCases: [Self] {
        let titles = SourceReader.all.map(\.title) + SettingsReader.all.map(\.title)
        return titles.reduce(into: documents) { kinds, title in
            let kind = Self(rawValue: title)
            if !kinds.contains(kind) { kinds.append(kind) }
        }
    }
}
