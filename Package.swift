// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target: Swift 6 mode, explicit imports, warnings are errors.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

/// Settings of the targets that hold no unsafe construct, clock, file or socket.
let pure: [SwiftSetting] = common + [.strictMemorySafety()]

/// Settings of the targets that no traffic passes through: a release of the Makefile prefers size to speed there.
///
/// SwiftPM refuses a dependency with such flags, so a package that depends on this one builds it without them.
let small: [SwiftSetting] =
    Context.environment["PINHOLE_SMALL"] == nil
    ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

let package = Package(
    name: "pinhole",
    products: [
        .executable(name: "pinhole", targets: ["PinholeCommand"]),
        .library(name: "Pinhole", targets: ["Pinhole"]),
        .library(name: "PinholeLab", targets: ["PinholeLab", "PinholeReports"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // Its default trait brings Foundation.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        .target(
            name: "CConsoleAssets",
            exclude: ["assets"],
            cSettings: [.disableWarning("c23-extensions")]
        ),
        .target(
            name: "CClassTexts",
            exclude: ["client.py", "lessons.de.md", "lessons.en.md", "more.de.md", "more.en.md"],
            cSettings: [.disableWarning("c23-extensions")]
        ),
        .target(
            name: "CBuildInfo",
            cSettings: [
                .define("PINHOLE_COMMIT", to: "\"\(Context.environment["PINHOLE_COMMIT"] ?? "")\""),
                .define("PINHOLE_COMMIT_DATE", to: "\"\(Context.environment["PINHOLE_COMMIT_DATE"] ?? "")\""),
            ]
        ),
        .target(name: "CTLSRecords", dependencies: ["COpenSSL"]),
        .systemLibrary(name: "CFiles"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(
            name: "PinholeFiles",
            dependencies: ["CFiles", "PinholeModel"],
            swiftSettings: common + small
        ),
        .target(name: "PinholeLock", swiftSettings: common),
        .target(name: "PinholeModel", swiftSettings: pure),
        .target(name: "PinholeFilter", dependencies: ["PinholeModel"], swiftSettings: pure),
        .target(
            name: "PinholeRules",
            dependencies: ["PinholeFilter", "PinholeLock", "PinholeModel"],
            swiftSettings: pure
        ),
        .target(name: "PinholeWire", dependencies: ["PinholeModel"], swiftSettings: pure),
        .target(name: "PinholeSource", swiftSettings: pure + small),
        .target(name: "PinholeTrust", dependencies: ["PinholeModel"], swiftSettings: pure + small),
        .target(
            name: "PinholeContent",
            dependencies: ["CBrotli", "CZlib", "CZstd", "PinholeModel"],
            swiftSettings: common
        ),
        .target(
            name: "PinholeCrypto",
            dependencies: [
                "CCrypt", "COpenSSL", "CTLSRecords", "PinholeFiles", "PinholeLock", "PinholeModel",
                "PinholeTrust",
            ],
            swiftSettings: common
        ),
        .target(name: "PinholeHTTP2", dependencies: ["CNghttp2", "PinholeModel"], swiftSettings: common),
        .target(
            name: "PinholeProxy",
            dependencies: [
                "PinholeContent", "PinholeFilter", "PinholeLock", "PinholeModel", "PinholeRules",
                "PinholeWire",
                "PinholeCrypto",
                "PinholeHTTP2",
            ],
            swiftSettings: pure
        ),
        .target(
            name: "PinholeRuntime",
            dependencies: [
                "CLinux", "PinholeContent", "PinholeFiles", "PinholeLock", "PinholeModel", "PinholeRules",
                "PinholeWire", "PinholeCrypto", "PinholeProxy",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common
        ),
        .target(
            name: "PinholeStore",
            dependencies: [
                "CSQLite", "PinholeContent", "PinholeFiles", "PinholeFilter", "PinholeLock", "PinholeModel",
            ],
            swiftSettings: common
        ),
        .target(
            name: "PinholeSession",
            dependencies: [
                "PinholeFiles", "PinholeFilter", "PinholeLock", "PinholeModel", "PinholeRules",
                "PinholeTrust", "PinholeWire",
                "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeStore", "PinholeFormats",
                "PinholeClient", "PinholeTelemetry",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeClient",
            dependencies: [
                "PinholeLock", "PinholeModel", "PinholeWire", "PinholeTrust", "PinholeCrypto",
                "PinholeHTTP2", "PinholeProxy", "PinholeRuntime",
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholePolicies",
            dependencies: [
                "PinholeFiles", "PinholeModel", "PinholeSource", "PinholeTrust", "PinholeCrypto",
                "PinholeRuntime",
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeLab",
            dependencies: [
                "PinholeContent", "PinholeFiles", "PinholeLock", "PinholeModel", "PinholeWire",
                "PinholeTrust",
                "PinholeCrypto",
                "PinholeProxy", "PinholeRuntime", "PinholeSession", "PinholeClient", "PinholePolicies",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeReports",
            dependencies: [
                "PinholeModel", "PinholeTrust", "PinholeCrypto", "PinholeClient", "PinholePolicies",
                "PinholeLab", "PinholeTelemetry",
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeFormats",
            dependencies: [
                "PinholeContent", "PinholeFilter", "PinholeLock", "PinholeModel", "PinholeWire",
                "PinholeTrust",
                "PinholeCrypto", "PinholeStore",
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeTelemetry",
            dependencies: [
                "PinholeContent", "PinholeLock", "PinholeModel", "PinholeWire", "PinholeCrypto",
                "PinholeStore",
                "PinholeClient",
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeClass",
            dependencies: [
                "CClassTexts", "PinholeContent", "PinholeFiles", "PinholeLock", "PinholeModel", "PinholeWire",
                "PinholeTrust",
                "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeSession", "PinholeStore",
                "PinholeClient",
                "PinholePolicies", "PinholeLab", "PinholeFormats", "PinholeConsole",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "PinholeConsole",
            dependencies: [
                "CConsoleAssets", "PinholeContent", "PinholeFiles", "PinholeFilter", "PinholeLock",
                "PinholeModel",
                "PinholeWire", "PinholeTrust",
                "PinholeCrypto", "PinholeProxy", "PinholeRuntime", "PinholeSession", "PinholeStore",
                "PinholeClient",
                "PinholeFormats", "PinholePolicies", "PinholeLab", "PinholeReports",
            ],
            swiftSettings: common + small
        ),
        .target(
            name: "Pinhole",
            dependencies: [
                "PinholeFilter", "PinholeModel", "PinholeRules", "PinholeCrypto", "PinholeRuntime",
                "PinholeFormats", "PinholeSession",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common
        ),
        .executableTarget(
            name: "PinholeCommand",
            dependencies: [
                "CBuildInfo", "CLinux", "PinholeContent", "PinholeFiles", "PinholeFilter", "PinholeLock",
                "PinholeModel",
                "PinholeRules",
                "PinholeWire", "PinholeTrust", "PinholeCrypto", "PinholeProxy", "PinholeRuntime",
                "PinholeSession", "PinholeStore", "PinholeConsole", "PinholeFormats", "PinholeClient",
                "PinholePolicies", "PinholeSource",
                "PinholeLab",
                "PinholeReports", "PinholeTelemetry", "PinholeClass",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: common + small
        ),
        .target(name: "CTestThreads", path: "Tests/CTestThreads"),
        .target(
            name: "PinholeTestKit",
            dependencies: [
                "CTestThreads", "PinholeFilter", "PinholeLock", "PinholeModel", "PinholeWire",
                "PinholeCrypto",
                "PinholeProxy",
            ],
            path: "Tests/PinholeTestKit",
            swiftSettings: common
        ),
        .executableTarget(
            name: "EngineCost",
            dependencies: [
                "PinholeFilter", "PinholeModel", "PinholeRules", "PinholeWire", "PinholeCrypto",
                "PinholeHTTP2",
                "PinholeProxy", "PinholeStore",
            ],
            path: "Benchmarks/EngineCost",
            swiftSettings: common
        ),
        tests(
            "PinholeCommand",
            "PinholeFiles",
            "PinholeFilter",
            "PinholeLock",
            "PinholeModel",
            "PinholeRules",
            "PinholeCrypto",
            "PinholeProxy",
            "PinholeRuntime",
            "PinholeSession",
            "PinholeStore",
            "PinholeConsole",
            "PinholeFormats",
            "PinholeTrust",
            "PinholeClient",
            "PinholePolicies",
            "PinholeLab",
            "PinholeReports",
            "PinholeTelemetry",
            "PinholeWire"
        ),
        tests("Pinhole", "PinholeCrypto", "PinholeLab", "PinholeRuntime"),
        tests(
            "PinholeConsole",
            "PinholeClass",
            "PinholeFilter",
            "PinholeFormats",
            "PinholeLock",
            "PinholeModel",
            "PinholeWire",
            "PinholeCrypto",
            "PinholeProxy",
            "PinholeRuntime",
            "PinholeSession",
            "PinholeStore",
            "PinholeLab"
        ),
        tests(
            "PinholeClass",
            "PinholeConsole",
            "PinholeCrypto",
            "PinholeLab",
            "PinholeModel",
            "PinholeRuntime",
            "PinholeTrust"
        ),
        tests("PinholeContent", "PinholeModel"),
        tests("PinholeFiles", "PinholeModel"),
        tests("PinholeSource"),
        tests("PinholeCrypto", "COpenSSL", "PinholeLock", "PinholeModel", "PinholeTrust"),
        tests("Browser", "PinholeLab", "PinholeReports"),
        tests(
            "EndToEnd",
            "PinholeFilter",
            "PinholeModel",
            "PinholeTrust",
            "PinholeCrypto",
            "PinholeRuntime",
            "PinholeStore",
            "PinholePolicies",
            "PinholeLab",
            "PinholeReports"
        ),
        tests(
            "PinholeClient",
            "PinholeLock",
            "PinholeModel",
            "PinholeWire",
            "PinholeTrust",
            "PinholeCrypto",
            "PinholeHTTP2",
            "PinholeRuntime",
            "PinholeLab"
        ),
        tests("PinholeSession", "PinholeModel", "PinholeCrypto", "PinholeProxy", "PinholeRuntime"),
        tests(
            "PinholePolicies",
            "PinholeFiles",
            "PinholeModel",
            "PinholeSource",
            "PinholeTrust",
            "PinholeCrypto",
            "PinholeLab"
        ),
        tests(
            "PinholeLab",
            "PinholeFiles",
            "PinholeLock",
            "PinholeModel",
            "PinholeTrust",
            "PinholeCrypto",
            "PinholeRuntime",
            "PinholeClient",
            "PinholePolicies",
            "PinholeReports"
        ),
        tests(
            "CommandProcess",
            "PinholeCrypto",
            "PinholeLab",
            "PinholeModel",
            "PinholeRuntime",
            "PinholeStore",
            "PinholeTrust"
        ),
        tests(
            "LabMatrix",
            "PinholeModel",
            "PinholeTrust",
            "PinholeCrypto",
            "PinholeClient",
            "PinholePolicies",
            "PinholeLab",
            "PinholeReports"
        ),
        tests(
            "PinholeReports",
            "PinholeFiles",
            "PinholeModel",
            "PinholeTrust",
            "PinholeCrypto",
            "PinholePolicies",
            "PinholeLab"
        ),
        tests("PinholeFilter", "PinholeModel"),
        tests(
            "PinholeFormats",
            "PinholeContent",
            "PinholeCrypto",
            "PinholeFilter",
            "PinholeModel",
            "PinholeStore"
        ),
        tests("PinholeRules", "PinholeFilter", "PinholeModel"),
        tests("PinholeHTTP2", "PinholeModel"),
        tests("PinholeLock"),
        tests("PinholeModel"),
        tests("PinholeProxy", "PinholeHTTP2", "PinholeModel", "PinholeRules", "PinholeWire", "PinholeCrypto"),
        tests(
            "PinholeRuntime",
            "PinholeContent",
            "PinholeLock",
            "PinholeModel",
            "PinholeRules",
            "PinholeWire",
            "PinholeCrypto",
            "PinholeProxy"
        ),
        tests("PinholeStore", "PinholeContent", "PinholeFilter", "PinholeLock", "PinholeModel"),
        tests("PinholeTelemetry", "PinholeModel", "PinholeClient"),
        tests("PinholeTestKit", "PinholeModel"),
        tests("PinholeTrust", "PinholeLock", "PinholeModel", "PinholeCrypto"),
        tests("PinholeWire", "PinholeModel"),
        tests("Repository"),
    ]
)

/// The test targets that `make check` leaves out: they start browsers, JVMs and other programs, or run whole matrices.
let slowTests: Set = ["BrowserTests", "CommandProcessTests", "EndToEndTests", "LabMatrixTests"]

// Builds some test targets alone, because `swift test --filter` builds them all first: those that the variable names,
// separated by commas, or with "quick" those that are not slow.
if let value = Context.environment["PINHOLE_TEST_TARGETS"], !value.isEmpty {
    let all = Set(package.targets.filter { $0.type == .test }.map(\.name))
    let named =
        value == "quick" ? all.subtracting(slowTests) : Set(value.split(separator: ",").map(String.init))
    let unknown = named.union(slowTests).subtracting(all).sorted()
    precondition(unknown.isEmpty, "PINHOLE_TEST_TARGETS or slowTests names no test target: \(unknown)")
    package.targets.removeAll { $0.type == .test && !named.contains($0.name) }
}

/// The targets whose optimised code saves the tests more time than the compiler takes for it.
let computing: Set = [
    "PinholeContent", "PinholeCrypto", "PinholeFilter", "PinholeFormats", "PinholeHTTP2", "PinholeModel",
    "PinholeProxy", "PinholeSource", "PinholeStore", "PinholeTrust", "PinholeWire",
]

// The build of `Scripts/run-tests` has the release configuration: in the debug configuration, ArgumentParser checks the
// tree of commands at each start of the program, which takes longer than most commands.
if Context.environment["PINHOLE_TESTED"] != nil {
    for target in package.targets where [.regular, .executable, .test].contains(target.type) {
        let flags = ["-enable-testing"] + (computing.contains(target.name) ? [] : ["-Onone"])
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
    }
}

/// The test target of `target`, which may use the test kit and the other named targets.
func tests(_ target: String, _ others: String...) -> Target {
    let standalone = ["Browser", "CommandProcess", "EndToEnd", "LabMatrix", "Repository", "PinholeTestKit"]
    let tested = standalone.contains(target) ? [] : [target]
    return .testTarget(
        name: "\(target)Tests",
        dependencies: (tested + ["PinholeTestKit"] + others).map { .target(name: $0) },
        exclude: target == "LabMatrix" ? ["Prediction/README.md"] : [],
        swiftSettings: common
    )
}
