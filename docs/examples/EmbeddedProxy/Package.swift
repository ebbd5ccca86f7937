// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "EmbeddedProxy",
    dependencies: [
        // In your own package: .package(url: "…/pinhole.git", branch: "main").
        .package(name: "pinhole", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "EmbeddedProxy",
            dependencies: [.product(name: "Pinhole", package: "pinhole")]
        )
    ]
)
