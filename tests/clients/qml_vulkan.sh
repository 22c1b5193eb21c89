#!/bin/sh
# Qt Quick on Vulkan: gradients, text, clipping by stencil, layers with mip levels, a canvas, an animation in a window; at its
# end the scene is drawn into a picture.
# packages: qml-qt6 qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtqml-workerscript fonts-dejavu-core libvulkan1
# packages: mesa-vulkan-drivers xvfb xauth
# api: vulkan
# suite: long
# attach: layer validation
# expect: error sync-object-misuse vkAcquireNextImageKHR
cat >scene.qml <<'QML'
import QtQuick
Rectangle {
  id: scene; width: 240; height: 180
  gradient: Gradient { GradientStop { position: 0; color: "navy" } GradientStop { position: 1; color: "teal" } }
  Rectangle {
    id: box; width: 60; height: 60; y: 10; color: "orange"; radius: 12; clip: true
    NumberAnimation on x { from: 10; to: 130; duration: 1000; onFinished: scene.grabToImage(picture => {
      picture.saveToFile("picture.png"); Qt.quit() }) }
    RotationAnimation on rotation { from: 0; to: 390; duration: 900 }
    Rectangle { width: 50; height: 50; x: 30; y: 30; color: "red" }
  }
  Item {
    width: 64; height: 64; x: 150; y: 90; opacity: 0.7; layer.enabled: true; layer.mipmap: true; layer.smooth: true
    Rectangle { anchors.fill: parent; color: "white"; radius: 32 }
    Text { text: Math.round(box.x); anchors.centerIn: parent }
  }
  ShaderEffectSource { sourceItem: box; width: 40; height: 40; x: 10; y: 120 }
  Canvas {
    width: 60; height: 60; x: 80; y: 110; property real at: box.x; onAtChanged: requestPaint()
    onPaint: { const to = getContext("2d"); to.reset(); to.fillStyle = "lime"; to.fillRect(at / 4, 5, 20, 20) }
  }
  Text { text: "gpusan"; anchors.centerIn: parent; font.pixelSize: 24; style: Text.Outline }
}
QML
XDG_RUNTIME_DIR="$HOME" QSG_INFO=1 QSG_RHI_BACKEND=vulkan xvfb-run -a /usr/lib/qt6/bin/qml -platform xcb scene.qml 2>messages ||
  exit
grep -o 'backend Vulkan' messages
test -s picture.png && echo drawn
