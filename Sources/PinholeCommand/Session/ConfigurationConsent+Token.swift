import Glibc
import PinholeConsole
import PinholeCrypto
import PinholeModel
import PinholeSession

extension ConfigurationConsent {
    /// Returns the token of the console of a capture, which is made anew unless this user's Pinhole made it here.
    ///
    /// A folder from somebody else may hold a capture with a token that its author knows.
    ///
    /// - Parameter capture: The file of the capture, beside which the token lies.
    /// - Returns: The token.
    /// - Throws: ``ConsoleFailure`` if its file cannot be used.
    func token(beside capture: String) throws(ConsoleFailure) -> AccessToken {
        let path = "\(capture).token"
        let token = try AccessToken.kept(at: path)
        // Without a state directory nothing can be remembered, and a new token at each start would help nobody.
        guard let state = try? places.makeStateDirectory(), !Configuration.lies(path, in: [state]),
            !isKept(Self.name(of: token))
        else { return token }
        unlink(path)
        let made = try AccessToken.kept(at: path)
        // If the token cannot be remembered, the next start makes another one, which does no harm.
        try? keep(Self.name(of: made))
        return made
    }

    private static func name(of token: AccessToken) -> String {
        "token-\(Hexadecimal.encode(Digest.sha256(Array(token.text.utf8))))"
    }
}
