Feature: Validation of request policies in ResourceSlices
  A requestPolicy defines which quantities of a capacity a request can consume. The API server rejects a requestPolicy
  that contradicts itself or its device, so that every stored requestPolicy can be applied.

  @case:policy-stored-unchanged
  @KEP-5075/policy-validation/create-e2e
  Scenario: A multi-allocatable device with a requestPolicy is stored unchanged
    Given the device
      | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth         |
      | eth1   | yes                      | 4                  | default 2, min 2, step 2, max 4 |
    When ResourceSlice "pool-1-slice" is created
    Then the object is stored as written

  @case:kep-example-stored
  @KEP-5075/policy-validation/seed-example-valid
  Scenario: The ResourceSlice of the KEP's example is stored unchanged
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
    Then the object is stored as written

  Rule: Request policies and allowMultipleAllocations

    @case:policy-on-exclusive-device
    @KEP-5075/policy-validation/policy-needs-multi-allocatable
    Scenario Outline: A requestPolicy is rejected if allowMultipleAllocations is false or unset
      Given the feature gate "DRAConsumableCapacity" is on
      And the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | <shared>                 | 10                 | default 1               |
      When ResourceSlice "pool-1-slice" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Forbidden at "spec.devices[0].capacity[bandwidth].requestPolicy"

      Examples:
        | set   | shared |
        | false | no     |
        | unset |        |

    @case:no-policy-on-exclusive-device
    @KEP-5075/policy-validation/policy-needs-multi-allocatable @profile:kep @profile:since-1.34
    Scenario: A device without allowMultipleAllocations and without requestPolicy is stored
      Given the feature gate "DRAConsumableCapacity" is on
      And the device
        | device | capacity bandwidth |
        | eth1   | 10                 |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:policy-on-one-of-two-capacities
    @KEP-5075/policy-validation/multi-allocatable-without-policy
    Scenario: A multi-allocatable device with a requestPolicy for one of two capacities is stored
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores | requestPolicy cores |
        | gpu    | yes                      | 16Gi            | 4              | default 1, min 1    |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

    @case:no-capacity
    @KEP-5075/policy-validation/multi-allocatable-without-policy
    Scenario: A multi-allocatable device without capacity is stored
      Given the device
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

  Rule: The default of a request policy

    @case:limits-without-default
    @KEP-5075/policy-validation/default-required
    Scenario Outline: A requestPolicy with validValues or validRange but without a default is rejected
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | <limits>                |
      When ResourceSlice "pool-1-slice" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices[0].capacity[bandwidth].requestPolicy.default"

      Examples:
        | limits     |
        | values 1 2 |
        | min 1      |

    @case:limits-with-default
    @KEP-5075/policy-validation/default-required
    Scenario Outline: A requestPolicy with a default and validValues or validRange is stored
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 1, <limits>     |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

      Examples:
        | limits     |
        | values 1 2 |
        | max 5, min 1 |

    @case:default-outside-valid-values
    @KEP-5075/policy-validation/default-in-valid-values
    Scenario: A requestPolicy whose default is not in validValues is rejected
      Given the device
        | device | allowMultipleAllocations | capacity memory | requestPolicy memory    |
        | gpu    | yes                      | 8               | default 3, values 1 2 4 |
      When ResourceSlice "pool-1-slice" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "spec.devices[0].capacity[memory].requestPolicy.validValues"

    @case:default-between-steps
    @KEP-5075/policy-validation/default-on-step
    Scenario: A requestPolicy whose default is not min plus a multiple of step is rejected
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth  |
        | eth1   | yes                      | 20                 | default 4, min 3, step 4 |
      When ResourceSlice "pool-1-slice" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "spec.devices[0].capacity[bandwidth].requestPolicy.validRange.step"

    @case:empty-policy-stored
    @KEP-5075/policy-validation/empty-policy @profile:since-1.34
    Scenario: Since Kubernetes 1.34, an empty requestPolicy is stored
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | empty                   |
      When ResourceSlice "pool-1-slice" is created
      Then the object is stored as written

  Rule: Several errors in one ResourceSlice

    @case:errors-of-two-policies
    @KEP-5075/policy-validation/several-errors-all-reported
    Scenario: A device with errors in the request policies of two capacities is rejected
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth | capacity queues | requestPolicy queues |
        | eth1   | yes                      | 10                 | values 1 2              | 8               | default 1, max 4     |
      When ResourceSlice "pool-1-slice" is created
      Then the object is rejected
      But since Kubernetes 1.34, because the document does not say which errors are reported: the object is rejected with Required at "spec.devices[0].capacity[bandwidth].requestPolicy.default"
      But since Kubernetes 1.34, because the document does not say which errors are reported: the object is rejected with Required at "spec.devices[0].capacity[queues].requestPolicy.validRange.min"
