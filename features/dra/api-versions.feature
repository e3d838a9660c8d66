Feature: Versions of the API group resource.k8s.io
  The DRA page names v1beta1 and writes half of its examples in v1beta2, whose objects have a different shape.
  These cases assume that the API server serves both versions.

  Rule: How each kind is stored in v1beta1

    @case:class-in-v1beta1
    @DRA/api-version/core-kinds-v1beta1
    Scenario: A DeviceClass is stored in v1beta1
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: DeviceClass
        metadata: {name: resource.example.com}
        spec:
          selectors:
            - cel: {expression: device.driver == "resource-driver.example.com"}
        """
      Then the object is stored as written
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: the object is rejected as NotFound

    @case:claim-in-v1beta1
    @DRA/api-version/core-kinds-v1beta1 @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta1 ResourceClaim is stored with deviceClassName directly in the request
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - {name: req-0, deviceClassName: resource.example.com, allocationMode: ExactCount, count: 2}
        """
      Then the object is stored as written
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: the object is rejected as NotFound

    @case:template-in-v1beta1
    @DRA/api-version/core-kinds-v1beta1 @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta1 ResourceClaimTemplate is stored with deviceClassName directly in the request
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaimTemplate
        metadata: {name: cat, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - {name: req-0, deviceClassName: resource.example.com, allocationMode: All}
        """
      Then the object is stored with
        | field                                         | value                |
        | spec.spec.devices.requests[0].deviceClassName | resource.example.com |
        | spec.spec.devices.requests[0].allocationMode  | All                  |
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: the object is rejected as NotFound

    @case:slice-in-v1beta1
    @DRA/api-version/core-kinds-v1beta1 @DRA/api-version/v1beta1-device-wrapper @DRA/slice/one-or-more-devices-of-a-pool
    Scenario: A v1beta1 ResourceSlice is stored with the attributes of a device under "basic"
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: cat-slice}
        spec:
          driver: resource-driver.example.com
          pool: {generation: 1, name: black-cat-pool, resourceSliceCount: 1}
          allNodes: true
          devices:
            - name: large-black-cat
              basic:
                attributes:
                  color: {string: black}
                  size: {string: large}
                  cat: {bool: true}
        """
      Then the object is stored as written
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: the object is rejected as NotFound

  Rule: How requests are written in v1beta2

    @case:claim-with-exactly
    @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta2 ResourceClaim with a request under "exactly" is stored
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: ExactCount, count: 2}
        """
      Then the object is stored as written

    @case:claim-with-first-available
    @DRA/api-version/v1beta2-request-shape
    Scenario: The firstAvailable example in the DRA docs is stored as a v1beta2 ResourceClaim
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                firstAvailable:
                  - name: large-black
                    deviceClassName: resource.example.com
                    selectors:
                      - cel:
                          expression: >-
                            device.attributes["resource-driver.example.com"].color == "black" &&
                            device.attributes["resource-driver.example.com"].size == "large"
                  - name: small-white
                    deviceClassName: resource.example.com
                    selectors:
                      - cel:
                          expression: >-
                            device.attributes["resource-driver.example.com"].color == "white" &&
                            device.attributes["resource-driver.example.com"].size == "small"
                    count: 2
        """
      Then the object is stored with
        | field                                            | value       |
        | spec.devices.requests[0].firstAvailable[0].name  | large-black |
        | spec.devices.requests[0].firstAvailable[1].name  | small-white |
        | spec.devices.requests[0].firstAvailable[1].count | 2           |

    @case:both-exactly-and-first-available
    @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta2 request with both "exactly" and "firstAvailable" is rejected
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com}
                firstAvailable:
                  - {name: first, deviceClassName: resource.example.com}
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected with Invalid at "spec.devices.requests[0]"

    @case:neither-exactly-nor-first-available
    @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta2 request with neither "exactly" nor "firstAvailable" is rejected
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices.requests[0]"

    @case:v1beta1-shape-in-v1beta2
    @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta2 request with deviceClassName outside "exactly" is rejected
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - {name: req-0, deviceClassName: resource.example.com}
        """
      Then the object is rejected

    @case:v1beta2-shape-in-v1beta1
    @DRA/api-version/v1beta2-request-shape
    Scenario: A v1beta1 request with deviceClassName under "exactly" is rejected
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com}
        """
      Then the object is rejected

    @case:claim-updated-across-versions
    @DRA/api-version/v1beta2-request-shape
    Scenario: A ResourceClaim stored in v1beta1 can be updated in v1beta2
      Given the object
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - {name: req-0, deviceClassName: resource.example.com, allocationMode: ExactCount, count: 2}
        """
      When this object is updated
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: cat, namespace: default, labels: {color: black}}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: ExactCount, count: 2}
        """
      Then the object is stored as written

  Rule: How devices are written in v1beta1 and v1beta2

    @case:counters-under-basic
    @DRA/api-version/v1beta1-device-wrapper
    Scenario: A v1beta1 ResourceSlice is stored with the consumesCounters of a device under "basic"
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: gpus}
        spec:
          driver: dra.example.com
          nodeName: worker-1
          pool: {name: pool, generation: 1, resourceSliceCount: 2}
          devices:
            - name: device-1
              basic:
                consumesCounters:
                  - {counterSet: gpu-1-counters, counters: {memory: {value: 6Gi}}}
        """
      Then the object is stored as written
      But until Kubernetes 1.34, because in these releases a device can only refer to counter sets of its own ResourceSlice: the object is rejected with Invalid at "spec.devices[0].consumesCounters[0].counterSet"
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: the object is rejected as NotFound

    @case:attributes-in-v1beta2
    @DRA/api-version/v1beta1-device-wrapper
    Scenario: A v1beta2 ResourceSlice is stored with the attributes directly in the device
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceSlice
        metadata: {name: cat-slice}
        spec:
          driver: resource-driver.example.com
          allNodes: true
          pool: {name: black-cat-pool, generation: 1, resourceSliceCount: 1}
          devices:
            - name: large-black-cat
              attributes:
                color: {string: black}
                cat: {bool: true}
        """
      Then the object is stored as written

    @case:basic-dropped-in-v1beta2
    @DRA/api-version/v1beta1-device-wrapper
    Scenario: The field "basic" of a v1beta2 device is dropped together with its content
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceSlice
        metadata: {name: cat-slice}
        spec:
          driver: resource-driver.example.com
          allNodes: true
          pool: {name: black-cat-pool, generation: 1, resourceSliceCount: 1}
          devices:
            - name: large-black-cat
              basic: {attributes: {color: {string: black}}}
        """
      Then the field "spec.devices[0].basic" is dropped
      And the field "spec.devices[0].attributes" is dropped

    @case:slice-updated-across-versions
    @DRA/api-version/v1beta1-device-wrapper
    Scenario: A ResourceSlice stored in v1beta1 can be updated in v1beta2 without a change of content
      Given the object
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: cat-slice}
        spec:
          driver: resource-driver.example.com
          pool: {generation: 1, name: black-cat-pool, resourceSliceCount: 1}
          allNodes: true
          devices:
            - name: large-black-cat
              basic:
                attributes: {color: {string: black}, size: {string: large}, cat: {bool: true}}
        """
      When this object is updated
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceSlice
        metadata: {name: cat-slice, labels: {color: black}}
        spec:
          driver: resource-driver.example.com
          allNodes: true
          pool: {name: black-cat-pool, generation: 1, resourceSliceCount: 1}
          devices:
            - name: large-black-cat
              attributes: {color: {string: black}, size: {string: large}, cat: {bool: true}}
        """
      Then the object is stored as written

  Rule: DeviceTaintRule is served in v1alpha3 only

    @case:taint-rule-in-v1alpha3
    @DRA/api-version/taint-rule-v1alpha3
    Scenario: The example DeviceTaintRule in the DRA docs is stored in v1alpha3
      When this object is created
        """
        apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata: {name: example}
        spec:
          deviceSelector: {driver: dra.example.com}
          taint: {key: dra.example.com/unhealthy, value: Broken, effect: NoExecute}
        """
      Then the object is stored with
        | field                      | value                     |
        | spec.deviceSelector.driver | dra.example.com           |
        | spec.taint.key             | dra.example.com/unhealthy |
        | spec.taint.value           | Broken                    |
        | spec.taint.effect          | NoExecute                 |

    @case:taint-rule-in-v1beta1
    @DRA/api-version/taint-rule-v1alpha3
    Scenario: A DeviceTaintRule is rejected in v1beta1
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: DeviceTaintRule
        metadata: {name: example}
        spec:
          deviceSelector: {driver: dra.example.com}
          taint: {key: dra.example.com/unhealthy, value: Broken, effect: NoExecute}
        """
      Then the object is rejected
      But since Kubernetes 1.33, because the document leaves open the type and the path of the error: the object is rejected as NotFound
