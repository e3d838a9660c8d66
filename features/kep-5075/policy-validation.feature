Feature: Which request policies a ResourceSlice may have
  A policy says which amounts of a capacity a request may consume. The API server refuses one that contradicts
  itself or the device, so that whatever is stored can be allocated.

  @case:a-multi-allocatable-device-with-a-policy-is-stored
  @KEP-5075/policy-validation/create-e2e
  Scenario: A multi-allocatable device with a policy is stored as the driver wrote it
    Given the device
      | device | shared | capacity bandwidth | policy bandwidth                |
      | eth1   | yes    | 4                  | default 2, min 2, step 2, max 4 |
    When the ResourceSlice "pool-1-slice" is created
    Then it is stored as it was written

  @case:the-device-of-the-documents-example-is-stored
  @KEP-5075/policy-validation/seed-example-valid
  Scenario: The device of the document's example is stored
    When this object is created
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata:
        name: eth1
      spec:
        driver: guaranteed-cni.dra.networking.x-k8s.io
        nodeName: node-1
        pool:
          name: node-1
          generation: 1
          resourceSliceCount: 1
        devices:
          - name: eth1
            allowMultipleAllocations: true
            attributes:
              name:
                string: "eth1"
            capacity:
              bandwidth:
                requestPolicy:
                  default: "1Mi"
                  validRange:
                    min: "1Mi"
                    step: "8"
                value: "10Gi"
      """
    Then it is stored as it was written

  Rule: Only a multi-allocatable device may have policies

    @case:a-device-with-allowmultipleallocations-may-not-have
    @KEP-5075/policy-validation/policy-needs-multi-allocatable
    Scenario Outline: A device with allowMultipleAllocations <set> may not have a policy
      Given the feature gate "DRAConsumableCapacity" is on
      And the device
        | device | shared   | capacity bandwidth | policy bandwidth |
        | eth1   | <shared> | 10                 | default 1        |
      When the ResourceSlice "pool-1-slice" is created
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Forbidden at "spec.devices[0].capacity[bandwidth].requestPolicy"

      Examples:
        | set   | shared |
        | false | no     |
        | unset |        |

    @case:a-device-without-allowmultipleallocations-is-stored
    @KEP-5075/policy-validation/policy-needs-multi-allocatable @profile:kep @profile:since-1.34
    Scenario: A device without allowMultipleAllocations is stored if it has no policy
      Given the feature gate "DRAConsumableCapacity" is on
      And the device
        | device | capacity bandwidth |
        | eth1   | 10                 |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @case:a-multi-allocatable-device-may-have-capacities-with
    @KEP-5075/policy-validation/multi-allocatable-without-policy
    Scenario: A multi-allocatable device may have capacities with and without policy
      Given the devices
        | device | shared | capacity memory | capacity cores | policy cores     |
        | gpu    | yes    | 16Gi            | 4              | default 1, min 1 |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

    @case:a-multi-allocatable-device-may-be-without-any
    @KEP-5075/policy-validation/multi-allocatable-without-policy
    Scenario: A multi-allocatable device may be without any capacity
      Given the device
        | device | shared |
        | eth1   | yes    |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

  Rule: A policy that limits requests has a default, and the default keeps to the limits

    @case:a-policy-with-has-to-say-what-a-request-without-an
    @KEP-5075/policy-validation/default-required
    Scenario Outline: A policy with <limits> has to say what a request without an amount consumes
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | <limits>         |
      When the ResourceSlice "pool-1-slice" is created
      Then it is rejected with Required at "spec.devices[0].capacity[bandwidth].requestPolicy.default"

      Examples:
        | limits     |
        | values 1 2 |
        | min 1      |

    @case:a-policy-with-and-a-default-is-stored
    @KEP-5075/policy-validation/default-required
    Scenario Outline: A policy with <limits> and a default is stored
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth    |
        | eth1   | yes    | 10                 | default 1, <limits> |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

      Examples:
        | limits     |
        | values 1 2 |
        | min 1      |

    @case:a-default-that-requests-could-not-ask-for-is-refused
    @KEP-5075/policy-validation/default-in-valid-values
    Scenario: A default that requests could not ask for is refused
      Given the device
        | device | shared | capacity memory | policy memory           |
        | gpu    | yes    | 8               | default 3, values 1 2 4 |
      When the ResourceSlice "pool-1-slice" is created
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Invalid at "spec.devices[0].capacity[memory].requestPolicy.validValues"

    @case:steps-count-from-the-min-and-a-default-between-two
    @KEP-5075/policy-validation/default-on-step
    Scenario: Steps count from the min, and a default between two of them is refused
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth         |
        | eth1   | yes    | 20                 | default 4, min 3, step 4 |
      When the ResourceSlice "pool-1-slice" is created
      Then it is rejected
      But since Kubernetes 1.34, because the document does not say which error it is: it is rejected with Invalid at "spec.devices[0].capacity[bandwidth].requestPolicy.validRange.step"

    @case:releases-store-a-policy-that-says-nothing
    @KEP-5075/policy-validation/empty-policy @profile:since-1.34
    Scenario: Releases store a policy that says nothing
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | empty            |
      When the ResourceSlice "pool-1-slice" is created
      Then it is stored as it was written

  Rule: All that is wrong is reported at once

    @case:two-policies-of-one-device-each-with-an-error-of-its
    @KEP-5075/policy-validation/several-errors-all-reported
    Scenario: Two policies of one device, each with an error of its own
      Given the device
        | device | shared | capacity bandwidth | policy bandwidth | capacity queues | policy queues    |
        | eth1   | yes    | 10                 | values 1 2       | 8               | default 1, max 4 |
      When the ResourceSlice "pool-1-slice" is created
      Then it is rejected with Required at "spec.devices[0].capacity[bandwidth].requestPolicy.default"
      And it is rejected with Required at "spec.devices[0].capacity[queues].requestPolicy.validRange.min"
