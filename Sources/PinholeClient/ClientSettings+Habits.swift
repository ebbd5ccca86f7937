import PinholeCrypto

extension ClientSettings {
    /// The settings that decide what a client does with servers that it accepts.
    ///
    /// Clients with equal habits behave alike on one device, until one of them refuses a server.
    package struct Habits: Sendable, Equatable {
        let checkPlace: CheckPlace
        let resumption: Resumption
        let protocols: [HTTPProtocol]
        let coalescing: Coalescing
        let versions: ClosedRange<TLSVersion>
        let strength: TLSStrength
        let followsRedirects: Bool
        let redirectLimit: Int
        let dangerFollowsDowngrade: Bool
        let refusesCleartext: Bool
        let insistsOnClientCertificate: Bool
        let bindsChannel: Bool
        let dangerAsksAgainByDefault: Bool
        let dangerSendsEarlyData: Bool
    }

    /// The habits of a client with these settings.
    package var habits: Habits {
        Habits(
            checkPlace: checkPlace,
            resumption: resumption,
            protocols: protocols,
            coalescing: coalescing,
            versions: versions,
            strength: strength,
            followsRedirects: followsRedirects,
            redirectLimit: redirectLimit,
            dangerFollowsDowngrade: dangerFollowsDowngrade,
            refusesCleartext: refusesCleartext,
            insistsOnClientCertificate: insistsOnClientCertificate,
            bindsChannel: bindsChannel,
            dangerAsksAgainByDefault: dangerAsksAgainByDefault,
            dangerSendsEarlyData: dangerSendsEarlyData
        )
    }
}
