/// The words of URL paths that a redacted copy may show.
///
/// They name resources and actions, as routes of servers do, and never a person, a place or a product of somebody. A
/// word that is missing costs readability alone; so this list errs on the side of leaving a word out.
package enum RouteWords {
    /// Whether a segment of a path consists of route words only.
    ///
    /// Such a segment is a word, a version (`v1`, `v2.1`), or up to four words that are joined by `-`, `_`, `.` or by
    /// capitals (`order-items`, `getUsers`, `index.html`).
    ///
    /// - Parameter segment: The segment, without slashes and as it was sent.
    /// - Returns: Whether every word of it is in the list.
    package static func contains(_ segment: some StringProtocol) -> Bool {
        let bytes = Array(segment.utf8)
        guard (1...40).contains(bytes.count) else { return false }
        if isVersion(bytes) { return true }
        let parts = parts(of: bytes)
        return (1...4).contains(parts.count) && parts.allSatisfy { all.contains($0) }
    }

    /// Whether the text is `v` with up to three digits, and perhaps a point and up to two more.
    private static func isVersion(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2, bytes[0] | 0x20 == 0x76 else { return false }
        let numbers = bytes.dropFirst().split(separator: 0x2e, omittingEmptySubsequences: false)
        return numbers.count <= 2
            && numbers.enumerated().allSatisfy { place, digits in
                (1...(place == 0 ? 3 : 2)).contains(digits.count)
                    && digits.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    /// Splits a segment at marks and before capitals, and lowers its letters; empty if a part is empty.
    private static func parts(of bytes: [UInt8]) -> [String] {
        var parts: [[UInt8]] = [[]]
        var wasLower = false
        for byte in bytes {
            if byte == 0x2d || byte == 0x5f || byte == 0x2e {
                parts.append([])
                wasLower = false
                continue
            }
            let isUpper = (0x41...0x5a).contains(byte)
            if isUpper, wasLower { parts.append([]) }
            wasLower = !isUpper
            parts[parts.count - 1].append(isUpper ? byte | 0x20 : byte)
        }
        guard !parts.contains([]) else { return [] }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The words, in lower case.
    private static let all: Set<String> = Set(
        """
        about abort accept access account accounts accounting ack acl acme action actions activate activation active
        activities activity actuator ad add addon addons address addresses admin admins ads advanced agent agents
        agreement agreements ai alarm alarms album albums alert alerts alias aliases all allow amp analytics android
        annotation annotations announcement announcements answer answers apache api apis app apple application
        applications apply approval approvals approve apps appointment appointments archive archives area areas article
        articles asset assets assign assignment assignments async atom attachment attachments attribute attributes
        auction audience audio audit audits auth authenticate authentication authn authorisation authorization authorize
        authz auto autocomplete availability avatar avatars award awards aws backend background backup backups badge
        badges balance balances ban banks banner banners barcode base basic basket baskets batch batches beacon beta bid
        bids bill billing bills blob blobs block blocks blog blogs board boards body book booking bookings bookmark
        bookmarks books bot bots box branch branches brand brands broadcast browse browser bucket buckets budget budgets
        bug bugs build builds bulk bundle bundles business button buy bytes cache calendar calendars call callback
        callbacks calls campaign campaigns cancel captcha capture card cards care career careers cart carts case cases
        catalog catalogs categories category cdn certificate certificates cgi challenge change changelog changes channel
        channels charge charges chart charts chat chats check checkin checkout checks children cities city claim claims
        class classes classic clean clear click clicks client clients clone close cloud cluster clusters code codes
        collect collection collections collector color colors column columns command commands comment comments commit
        commits common communities community companies company compare complete completion completions component
        components compute config configs configuration confirm confirmation connect connection connections console
        consent contact contacts container containers content contents contest context contract contracts control
        controller convert conversation conversations cookie cookies copy core count counter counters countries country
        coupon coupons course courses create creative credit credits cron crop css csrf csv currencies currency current
        custom customer customers daily dashboard dashboards data database databases dataset datasets date dates day days
        deal deals debug decline default definition definitions delete deliveries delivery demo department departments
        deploy deployment deployments deposit description design desktop destination detail details detect dev developer
        developers development device devices diagnostics dictionary diff digest direct directories directory disable
        discount discounts discover discovery discuss discussion discussions dispatch display dist dns doc docs document
        documentation documents domain domains donate done download downloads draft drafts driver drivers drop duplicate
        echo edge edges edit edition editor education element elements email emails embed embedding embeddings employee
        employees enable encode end endpoint endpoints engine enterprise entities entity entries entry enum environment
        environments error errors estimate event events exam examples exchange exchanges exec execute exit experiment
        experiments expire expires explore export exports extension extensions external facet facets faq favicon favorite
        favorites favourites feature featured features feed feedback feeds fetch field fields file files filter filters
        find finish firmware flag flags flow flows folder folders follow followers following font fonts footer foreign
        forgot form format forms forum forums friend friends front frontend full function functions game games gateway
        general generate generations geo geocode get gif gift gifts global goal goals google grades grant grants graph
        graphiql graphql group groups guest guests guide guides handler header headers health healthcheck healthz heartbeat
        hello help hidden histogram history holiday holidays home homepage hook hooks host hosts hotel hotels hour hours
        html http i18n icon icons id ident identifier identities identity image images img import imports inbox index info
        information ingest init initialize inquiries insert inspect install installation instance instances instruments
        insurance integration integrations internal introspect inventory invitation invitations invite invites invoice
        invoices invoke issue issues item items job jobs join journal jpeg jpg js json jsonp jsonrpc jwks kernel key keys
        keyword keywords kpi label labels lang language languages last latest launch layer layers layout lead leads
        leaderboard leave ledger legacy legal lesson lessons level levels lib libraries library libs license licenses like
        likes limit limits line lines link links list listing listings lists live load local locale locales locate location
        locations lock locks log logger loggers logging login logo logos logout logs lookup loyalty mail mailbox mails main
        maintenance manage management manager manifest manual map mapping maps mark market marketing marketplace markets
        master match matches me measure measurement measurements media meeting meetings member members membership
        memberships memory menu menus merchant merchants merge message messages messaging meta metadata method methods
        metric metrics migrate migration migrations min mini mission mobile mock mode model models moderation module
        modules monitor monitoring monitors month monthly more move movie movies music my name names nav navigation network
        networks new news newsletter next node nodes nonce note notebook notebooks notes notice notices notification
        notifications notify null number numbers oauth oauth2 object objects offer offers office offices offline oidc old
        onboarding online open openapi operation operations opt option options oracle order orders org organisation
        organisations organization organizations orgs origin other output outbox overview owner owners package packages
        page pages panel parameter parameters parent part participants partner partners parts party password path patient
        patients pause pay payee payment payments payout payouts pdf people period permission permissions person personal
        persons phone phones photo photos php ping pipeline pipelines pixel place placement places plan plans platform play
        player players playlist playlists plugin plugins png podcast point points poll polls policies policy poll pool pools
        popular popup port portal portfolio position positions post posts prediction predictions preference preferences
        prefs presence preset presets press preview previews price prices pricing print printers privacy private probe
        problem problems process processes product production products profile profiles program programs progress project
        projects promo promotion promotions prompt prompts properties property proposal proposals protected provider
        providers proxy public publish publisher publishers pull purchase purchases push put quarantine queries query
        question questions queue queues quick quiz quota quotas quote quotes random range rank ranking rankings rate rates
        rating ratings raw reaction reactions read readiness ready realm realms realtime rebuild receipt receipts receive
        recent recipe recipes recommendation recommendations recommended record recording recordings records recover
        recovery redeem redirect redirects reference references referral referrals refresh refund refunds region regions
        register registration registrations registry reject related relation relations release releases reload remote
        remove rename render renew reply replies repo report reports repositories repository repos request requests resend
        reservation reservations reserve reset resize resolve resource resources response responses rest restart restaurant
        restaurants restore result results resume retry return returns revert review reviews revision revisions revoke
        reward rewards rights robots role roles rollback room rooms root route router routers routes rows rpc rss rule rules
        run runs runtime sale sales sample samples sandbox save saved scan schedule scheduled schedules schema schemas
        scope scopes score scores screen script scripts search searches secret secrets section sections secure security
        segment segments select self send sensor sensors sent seo series server servers service services serviceworker
        session sessions set setting settings setup share shared shares shell ship shipment shipments shipping shop shopping
        shops shop show shows sign signature signatures signed signin signout signup site sitemap sites size skill skills
        sku skus slack slot slots sms snapshot snapshots soap social socket sockjs software solution solutions sort sound
        source sources space spaces spec special sprint sql sse sso stable staff stage staging standard star start startup
        stat state statement statements states static statistics stats status step steps stock stocks stop storage store
        stores stories story stream streaming streams student students style styles stylesheet stylesheets sub subject
        subjects submission submissions submit subscribe subscriber subscribers subscription subscriptions suggest
        suggestion suggestions summary suggestions supplier suppliers support survey surveys suspend svg swagger switch
        symbol symbols sync synchronize system systems tab table tables tag tags target targets task tasks tax taxes teacher
        teachers team teams telemetry template templates tenant tenants term terminal terms test tests text theme themes
        thread threads threshold thumb thumbnail thumbnails ticket tickets tile tiles time timeline timer times timezone tip
        title to todo todos toggle token tokens tool tools top topic topics total totals tour tours trace traces track
        tracker tracking tracks trade trades traffic training transaction transactions transfer transfers transit
        translate translation translations trash travel tree trend trending trends trial trigger triggers trip trips trust
        tutorial tutorials tweet tweets txt type types ui unit units unlock unread unsubscribe update updates upgrade upload
        uploads url urls usage user userinfo username users util utils validate validation value values variant variants
        vault vehicle vehicles vendor vendors verification verify version versions video videos view views visit visitor
        visitors visits voice volume volumes vote votes voucher vouchers wallet wallets warehouse warehouses watch watchlist
        weather web webhook webhooks webp website websites websocket week weekly welcome well wellknown known widget widgets
        wiki window wishlist withdraw withdrawal withdrawals woff woff2 word words work worker workers workflow workflows
        workspace workspaces worlds write ws wss www xhr xml yaml year years yml zip zone zones acme-challenge assetlinks
        app-site-association
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
