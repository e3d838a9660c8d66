Feature: The versions of the API group resource.k8s.io
  The page names v1beta1 and writes half of its examples in v1beta2, which has another shape. Whoever writes in one
  of them has enabled it in the API server.

  Rule: The kinds of the page are served in v1beta1

    @DRA/api-version/core-kinds-v1beta1
    Scenario: A device class is stored in v1beta1
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: DeviceClass
        metadata: {name: resource.example.com}
        spec:
          selectors:
            - cel: {expression: device.driver == "resource-driver.example.com"}
        """
      Then it is stored as it was written
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: it is rejected as NotFound

    @DRA/api-version/core-kinds-v1beta1 @DRA/api-version/v1beta2-request-shape
    Scenario: A claim is stored in v1beta1, with the class beside the name of the request
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
      Then it is stored as it was written
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: it is rejected as NotFound

    @DRA/api-version/core-kinds-v1beta1 @DRA/api-version/v1beta2-request-shape
    Scenario: A template is stored in v1beta1, with the class beside the name of the request
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
      Then it is stored with
        | field                                         | value                |
        | spec.spec.devices.requests[0].deviceClassName | resource.example.com |
        | spec.spec.devices.requests[0].allocationMode  | All                  |
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: it is rejected as NotFound

    @DRA/api-version/core-kinds-v1beta1 @DRA/api-version/v1beta1-device-wrapper @DRA/slice/one-or-more-devices-of-a-pool
    Scenario: The black cat is stored in v1beta1, with its attributes under basic
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
      Then it is stored as it was written
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: it is rejected as NotFound

  Rule: In v1beta2 a request has its fields under exactly, or a list under firstAvailable

    @DRA/api-version/v1beta2-request-shape
    Scenario: A claim is stored in v1beta2 with a request under exactly
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
      Then it is stored as it was written

    @DRA/api-version/v1beta2-request-shape
    Scenario: The prioritized list of the page is stored in v1beta2
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
      Then it is stored with
        | field                                            | value       |
        | spec.devices.requests[0].firstAvailable[0].name  | large-black |
        | spec.devices.requests[0].firstAvailable[1].name  | small-white |
        | spec.devices.requests[0].firstAvailable[1].count | 2           |

    @DRA/api-version/v1beta2-request-shape
    Scenario: A request with both exactly and firstAvailable is rejected in v1beta2
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
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected with Invalid at "spec.devices.requests[0]"

    @DRA/api-version/v1beta2-request-shape
    Scenario: A request with neither exactly nor firstAvailable is rejected in v1beta2
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
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected with Required at "spec.devices.requests[0]"

    @DRA/api-version/v1beta2-request-shape
    Scenario: A request in the shape of v1beta1 is rejected in v1beta2
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
      Then it is rejected

    @DRA/api-version/v1beta2-request-shape
    Scenario: A request in the shape of v1beta2 is rejected in v1beta1
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
      Then it is rejected

    @DRA/api-version/v1beta2-request-shape
    Scenario: A claim that is stored in v1beta1 can be labelled in v1beta2
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
      When it is updated to this object
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
      Then it is stored as it was written

  Rule: In v1beta1 a device has its fields under basic, in v1beta2 beside its name

    @DRA/api-version/v1beta1-device-wrapper
    Scenario: The counters that a device consumes are under basic in v1beta1
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
      Then it is stored as it was written
      But until Kubernetes 1.34, because in these releases a device can only refer to counter sets of its own slice: it is rejected with Invalid at "spec.devices[0].consumesCounters[0].counterSet"
      But since Kubernetes 1.38, because these releases no longer serve v1beta1: it is rejected as NotFound

    @DRA/api-version/v1beta1-device-wrapper
    Scenario: The attributes of a device are beside its name in v1beta2
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
      Then it is stored as it was written

    @DRA/api-version/v1beta1-device-wrapper
    Scenario: A device of v1beta2 loses what is written under basic
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

    @DRA/api-version/v1beta1-device-wrapper
    Scenario: A slice that is stored in v1beta1 is the same in v1beta2
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
      When it is updated to this object
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
      Then it is stored as it was written

  Rule: Taints for devices that others publish are rules of v1alpha3

    @DRA/api-version/taint-rule-v1alpha3
    Scenario: The rule of the page is stored in v1alpha3
      When this object is created
        """
        apiVersion: resource.k8s.io/v1alpha3
        kind: DeviceTaintRule
        metadata: {name: example}
        spec:
          deviceSelector: {driver: dra.example.com}
          taint: {key: dra.example.com/unhealthy, value: Broken, effect: NoExecute}
        """
      Then it is stored with
        | field                      | value                     |
        | spec.deviceSelector.driver | dra.example.com           |
        | spec.taint.key             | dra.example.com/unhealthy |
        | spec.taint.value           | Broken                    |
        | spec.taint.effect          | NoExecute                 |

    @DRA/api-version/taint-rule-v1alpha3
    Scenario: A rule is rejected in v1beta1, where the other kinds are
      When this object is created
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: DeviceTaintRule
        metadata: {name: example}
        spec:
          deviceSelector: {driver: dra.example.com}
          taint: {key: dra.example.com/unhealthy, value: Broken, effect: NoExecute}
        """
      Then it is rejected
      But since Kubernetes 1.33, because the document leaves open where and how it is reported: it is rejected as NotFound
