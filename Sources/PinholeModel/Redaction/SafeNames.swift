/// The names of fields, parameters, cookies and members that a redacted copy may show.
package enum SafeNames {
    /// The longest name of identifier form, in characters.
    package static let longest = 40

    /// Whether a name is in a registry of IANA, in a specification, or in general use.
    ///
    /// - Parameter name: The name, in lower case.
    /// - Returns: Whether it is registered or in general use.
    package static func isRegistered(_ name: String) -> Bool {
        RegisteredFields.contains(name) || parameters.contains(name)
    }

    /// Whether a name is one that a programmer chose, and not a value that stands in the place of a name.
    ///
    /// Such a name has at most 40 ASCII letters, digits and `-_.`; at least one letter; at most four digits in a run and
    /// few changes between letters and digits; and its letters can be spoken, as those of a random text cannot.
    ///
    /// - Parameter name: The name, as it was sent.
    /// - Returns: Whether it has the form of an identifier.
    package static func hasIdentifierForm(_ name: some StringProtocol) -> Bool {
        var shape = NameShape()
        for byte in name.utf8 where !shape.read(byte) { return false }
        return shape.isName
    }

    /// Names of parameters, cookies and members: OAuth 2.0 and OpenID Connect, JWT, forms and lists.
    private static let parameters: Set<String> = Set(
        """
        access_token account_id acr acr_values action active address alg amount amr api_key apikey app_id app_version
        assertion at_hash attributes aud auth_time author authorization_details avatar azp birthdate body c_hash cache
        callback category challenge children city claims client_assertion client_assertion_type client_id client_info
        client_secret clientid cnf code code_challenge code_challenge_method code_verifier comment comments content
        content_type contenttype count country created created_at createdat csrf csrf_token csrftoken currency cursor
        customer customer_id data date default delete deleted description details device device_code device_id deviceid
        direction display display_name displayname done dpop_jkt email email_verified enabled encoding end end_date endpoint
        error error_code error_description error_uri errors event events exp expires expires_at expires_in expiresin
        extensions family_name features field fields file filename files filter first firstname flags format from gender
        given_name grant_type group groups hash headers height hidden host href html htm htu iat icon id id_token
        id_token_hint ids image images index info interval is_active iss issuer item items jku jti jwk key keys kid kind
        label lang language last lastname lat limit line link links list lng locale location login login_hint logout_hint
        lon max max_age message messages meta metadata method middle_name min mode model name names nbf next nickname node
        nodes nonce notes null number object offset op operationname operations operator options order origin page page_size
        pagesize params parent password path payload per_page permissions phone phone_number phone_number_verified phpsessid
        picture platform port post_logout_redirect_uri preferred_username prev price priority private product products
        profile prompt properties protocol provider public q quantity query read reason redirect redirect_uri ref
        refresh_expires_in refresh_token region registration replace request request_uri requested_token_type required
        resource response response_mode response_type result results role roles rows rsa scope scopes score search secret
        self session session_id session_state sessionid sid signature size sort source start start_date state status
        statuscode street sub subject subject_token subject_token_type success sum summary tag tags target template test
        text thumbnail time timeout timestamp timezone title to token token_type tokens top total total_count totalcount
        track type typ ui_locales unit updated updated_at updatedat url user user_code user_id userid userinfo username
        users uuid value values variables vendor verified version view visible website width x5c x5t x5u zip zone zoneinfo
        jsonrpc jsessionid __typename edges pageinfo hasnextpage endcursor locations extensions html head body div span meta
        script style a p table tr td th ul ol li h1 h2 h3 h4 img form input button select option textarea nav header footer
        main section article aside br hr strong em b i u code pre iframe svg video audio canvas source link base title
        class rel src alt width height content charset name property lang xmlns viewport placeholder aria-label role onclick
        rss channel pubdate guid entry feed soap:envelope soap:body soap:header envelope urlset url loc lastmod
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}

/// Reads the characters of a name, and says whether they have the form of an identifier.
///
/// A name is made of words, which end at marks, digits and before capitals.
private struct NameShape {
    private var count = 0
    private var letters = 0
    private var digits = 0
    private var digitsInRow = 0
    private var changes = 0
    private var rare = 0
    private var words = 0
    /// The number of words of one or two letters, and of words that cannot be spoken.
    private var oddWords = 0
    private var wasDigit: Bool?
    private var wasLower = false
    private var word = Word()

    private struct Word {
        var letters = 0
        var vowels = 0
        var consonantsInRow = 0
        var mostConsonants = 0
        var capitals = 0
        /// The letters of a short word, in lower case.
        var start: UInt32 = 0

        /// Whether the word is as short as random ones are, and no common one.
        var isOddlyShort: Bool { letters < 3 && !Self.short.contains(start) }

        /// Words of one or two letters that are common in names.
        private static let short = Set(
            "a as at be by cc db dt e go i id if in io ip is it me my ms no of ok on or os qr to ts ui up us v x y"
                .split(
                    separator: " "
                ).map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        )
    }

    /// Reads a character, and returns whether the name may go on with it.
    mutating func read(_ byte: UInt8) -> Bool {
        count += 1
        guard count <= SafeNames.longest else { return false }
        switch byte {
        case 0x30...0x39: digit()
        case 0x41...0x5a, 0x61...0x7a: letter(byte)
        case 0x2d, 0x2e, 0x5f:
            endOfWord()
            wasDigit = nil
            digitsInRow = 0
        default: return false
        }
        return digitsInRow <= 4 && digits <= 6 && changes <= 2
    }

    private mutating func digit() {
        endOfWord()
        if wasDigit == false { changes += 1 }
        wasDigit = true
        digits += 1
        digitsInRow += 1
    }

    private mutating func letter(_ byte: UInt8) {
        if wasDigit == true { changes += 1 }
        wasDigit = false
        digitsInRow = 0
        letters += 1
        let isUpper = byte & 0x20 == 0
        if isUpper, wasLower { endOfWord() }
        wasLower = !isUpper
        word.letters += 1
        word.start = word.start << 8 | UInt32(byte | 0x20)
        if isUpper { word.capitals += 1 }
        switch byte | 0x20 {
        case 0x61, 0x65, 0x69, 0x6f, 0x75, 0x79:
            word.vowels += 1
            word.consonantsInRow = 0
        case 0x6a, 0x71, 0x78, 0x7a:
            rare += 1
            fallthrough
        default:
            word.consonantsInRow += 1
            word.mostConsonants = max(word.mostConsonants, word.consonantsInRow)
        }
    }

    private mutating func endOfWord() {
        wasLower = false
        guard word.letters > 0 else { return }
        words += 1
        let isMixed = word.capitals > 1 && word.capitals < word.letters
        let isUnpronounceable = word.letters > 5 && word.vowels * 5 < word.letters || word.mostConsonants > 4
        if word.isOddlyShort || isMixed || isUnpronounceable { oddWords += 1 }
        word = Word()
    }

    /// Whether the characters read are a name.
    var isName: Bool {
        var whole = self
        whole.endOfWord()
        guard letters > 4 else { return letters > 0 && digits <= 4 }
        return whole.oddWords * 3 <= whole.words && rare * 5 <= letters
    }
}
