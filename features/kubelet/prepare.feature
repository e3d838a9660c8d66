Feature: A kubelet has drivers prepare the ResourceClaims of pods

  Background:
    Given DRA driver "dra.example.com" on the node

  @case:prepared-once
  @KUBELET/registration/discovers @KUBELET/prepare/once @KUBELET/unprepare/last-pod
  Scenario: A ResourceClaim is not prepared again when the kubelet prepares its pod again
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is registered
    And pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"
    When the kubelet prepares pod "p" 2 times
    Then pod "p" is prepared
    And no driver is called
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:driver-registers-again
  @KUBELET/prepare/once
  Scenario: A ResourceClaim is not prepared again after its driver has registered again
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" is stopped
    And driver "dra.example.com" is started
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And no driver is called

  @case:prepared-once-by-two-drivers
  @KUBELET/prepare/once @KUBELET/prepare/shared
  Scenario: Neither driver of a prepared ResourceClaim is called when pods with it are prepared
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And driver "nic.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    And no driver is called
    And container "main" of pod "q" gets the devices "gpu-0, nic-0"

  @case:one-call-per-driver
  @KUBELET/prepare/one-call-per-driver
  Scenario: The kubelet prepares all ResourceClaims of a pod for one driver in one call
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "a" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "a, b"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "a, b"
    And driver "nic.example.com" is called once to prepare ResourceClaim "a"
    And container "main" of pod "p" gets the devices "gpu-0, gpu-1, nic-0"

  @case:prepared-claim-of-two
  @KUBELET/prepare/once
  Scenario: A driver is called only for the ResourceClaim of a pod that is not prepared yet
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "d"

  @case:second-driver-fails
  @KUBELET/prepare/retried @KUBELET/prepare/error-of-call @KUBELET/unprepare/last-pod
  Scenario: Both drivers of a ResourceClaim are called again after either of them has failed
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called to unprepare
    When driver "dra.example.com" now answers calls to prepare correctly
    And driver "nic.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called to unprepare
    When driver "nic.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And driver "nic.example.com" is called once to prepare ResourceClaim "c"

  @case:failed-driver-and-a-second-pod
  @KUBELET/prepare/retried @KUBELET/prepare/shared
  Scenario Outline: Both drivers are called for a second pod if <fails> failed for the first pod
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When driver "<fails>" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p" 5 times
    Then preparing pod "p" fails
    When driver "<fails>" now answers calls to prepare correctly
    And the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And driver "nic.example.com" is called once to prepare ResourceClaim "c"

    @key:fails
    Examples:
      | fails           |
      | dra.example.com |
      | nic.example.com |

  @case:error-of-either-driver
  @KUBELET/prepare/error-of-claim
  Scenario Outline: An error of <fails> for a ResourceClaim of two drivers fails the pod
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When driver "<fails>" now answers calls to prepare with an error for ResourceClaim "c"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails

    @key:fails
    Examples:
      | fails           |
      | dra.example.com |
      | nic.example.com |

  @case:missing-entry-of-either-driver
  @KUBELET/prepare/left-out
  Scenario Outline: A pod fails if <driver> has no entry for a ResourceClaim of two drivers
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When driver "<driver>" now answers calls to prepare without an entry for ResourceClaim "c"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails

    @key:driver
    Examples:
      | driver          |
      | dra.example.com |
      | nic.example.com |

  @case:error-with-devices
  @KUBELET/prepare/error-of-claim
  Scenario: An error of a driver for a ResourceClaim fails the pod although the response has devices
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with an error and devices for ResourceClaim "c"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails

  @case:devices-of-an-error
  @KUBELET/prepare/devices-with-error
  Scenario: A container does not get the devices of an earlier response that had an error
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with an error and devices for ResourceClaim "c"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And container "main" of pod "p" gets no device
    When driver "dra.example.com" now answers calls to prepare with one device of each ResourceClaim
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the device "gpu-0"

  @case:entry-for-a-claim-of-another-driver
  @KUBELET/prepare/unknown-entry
  Scenario: A response with an entry for a ResourceClaim of another driver fails the pod
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device | driver          |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaims "a, b"
    When driver "dra.example.com" now answers calls to prepare with a further entry for ResourceClaim "b"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails

  @case:failed-pod-is-no-user
  @KUBELET/prepare/validates-first @KUBELET/unprepare/last-pod
  Scenario: A pod whose second ResourceClaim is missing does not keep its first ResourceClaim prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "c, missing"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:missing-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod with a missing ResourceClaim fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaims "c, missing"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:unallocated-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod with an unallocated ResourceClaim fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a ResourceClaim "waiting" requesting 1 device
    And a pod "p" that uses ResourceClaims "c, waiting"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:unreserved-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod for which its ResourceClaim is not reserved fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And ResourceClaim "c" is not reserved for pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:unreserved-second-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod for which its second ResourceClaim is not reserved fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "c, d"
    And ResourceClaim "d" is not reserved for pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:reserved-for-an-earlier-pod
  @KUBELET/prepare/validates-first
  Scenario: A pod fails if its ResourceClaim is reserved for an earlier pod of the same name
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And ResourceClaim "c" is reserved for an earlier pod with the name of pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:unregistered-driver
  @KUBELET/prepare/validates-first
  Scenario: A pod with a device of a driver that is not registered fails before a driver is called
    Given ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device | driver           |
      | fpga-0 | fpga.example.com |
    And a pod "p" that uses ResourceClaims "a, b"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:driver-with-a-similar-name
  @KUBELET/prepare/validates-first
  Scenario Outline: A pod with a device of <driver> fails although dra.example.com is registered
    Given ResourceClaim "c" is already allocated
      | device | driver   |
      | gpu-0  | <driver> |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called

    @key:driver
    Examples:
      | driver               |
      | dra.example.com.test |
      | example.com          |

  @case:error-of-claim
  @KUBELET/prepare/error-of-claim @KUBELET/prepare/retried @KUBELET/unprepare/until-success
  Scenario: An error of a driver for one ResourceClaim fails the pod until a retry succeeds
    Given ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-1  |
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-2  |
    And a pod "p" that uses ResourceClaims "a, b, c"
    When driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "b"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the devices "gpu-0, gpu-1, gpu-2"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: pod "p" is prepared

  @case:error-of-call
  @KUBELET/prepare/error-of-call @KUBELET/prepare/retried
  Scenario: A failed call to a driver fails the pod until a retry succeeds
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:unimplemented-call
  @KUBELET/prepare/error-of-call
  Scenario: A pod fails if its driver answers NodePrepareResources with UNIMPLEMENTED
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with the error UNIMPLEMENTED
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails

  @case:missing-entry
  @KUBELET/prepare/left-out
  Scenario: A NodePrepareResources response without an entry for a ResourceClaim fails the pod
    Given ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "a, b"
    When driver "dra.example.com" now answers calls to prepare without an entry for ResourceClaim "a"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And driver "dra.example.com" is called once to prepare ResourceClaims "a, b"

  @case:unknown-entry
  @KUBELET/prepare/unknown-entry
  Scenario: A NodePrepareResources response with an entry for an unknown ResourceClaim fails the pod
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with an entry for an unknown ResourceClaim
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:no-duplicate-devices
  @KUBELET/prepare/no-duplicates
  Scenario: A container gets each device once although another driver's failure causes retries
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device | driver          |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaims "a, b"
    When driver "nic.example.com" now answers calls to prepare with an error for ResourceClaim "b"
    And the kubelet prepares pod "p" 20 times
    Then preparing pod "p" fails
    When driver "nic.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the devices "gpu-0, nic-0"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: container "main" of pod "p" gets the device "gpu-0" more than once

  @case:no-duplicate-devices-of-one-claim
  @KUBELET/prepare/no-duplicates
  Scenario: A container gets each device of a ResourceClaim once although one of two drivers failed
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When driver "nic.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p" 20 times
    Then preparing pod "p" fails
    When driver "nic.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the devices "gpu-0, nic-0"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: container "main" of pod "p" gets the device "gpu-0" more than once

  @case:shared-claim
  @KUBELET/prepare/shared @KUBELET/unprepare/last-pod
  Scenario: A shared ResourceClaim is prepared for the first pod and unprepared for the last
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called
    And container "main" of pod "q" gets the device "gpu-0"
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:shared-and-new-claim
  @KUBELET/prepare/shared
  Scenario Outline: For a second pod, the kubelet prepares only the ResourceClaim that is not yet prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "<claims>"
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "d"

    Examples:
      | claims |
      | c, d   |
      | d, c   |

  @case:replaced-claim
  @KUBELET/prepare/replaced-claim
  Scenario: A replaced ResourceClaim is prepared after the old one is unprepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "old" that uses ResourceClaim "c"
    And a pod "new" that uses ResourceClaim "c"
    When the kubelet prepares pod "old"
    Then pod "old" is prepared
    When ResourceClaim "c" is replaced while the kubelet knows it
    And the kubelet prepares pod "new"
    Then preparing pod "new" fails
    And no driver is called
    When the kubelet unprepares pod "old"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    When the kubelet prepares pod "new"
    Then pod "new" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:not-while-unpreparing
  @KUBELET/prepare/not-while-unpreparing
  Scenario: A pod is not prepared with a ResourceClaim that is being unprepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" now answers calls to unprepare with an error for ResourceClaim "c"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called
    But from Kubernetes 1.34 to 1.36, because a pod can be prepared while its ResourceClaim is being unprepared: pod "q" is prepared

  @case:not-generated-yet
  @KUBELET/prepare/validates-first
  Scenario: A pod fails before a driver is called while its second ResourceClaim is not generated yet
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: gpu, resourceClaimTemplateName: template}
        - {name: nic, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}, {name: nic}]}}
      """
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:generated-claim-without-owner
  @KUBELET/prepare/validates-first
  Scenario: A pod whose status names a ResourceClaim without an owner for a template entry fails
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: gpu, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}
      status:
        resourceClaimStatuses:
        - {name: gpu, resourceClaimName: p-gpu-k4x9q}
      """
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:generated-claim-of-another-pod
  @KUBELET/prepare/validates-first
  Scenario: A pod whose status names the generated ResourceClaim of another pod fails
    Given ResourceClaim "q-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses the ResourceClaimTemplate "template" as "gpu"
    And a pod "q" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "q-gpu-k4x9q" is generated for the entry "gpu" of pod "q"
    And the status of pod "p" names ResourceClaim "q-gpu-k4x9q" of pod "q" for the entry "gpu"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "q-gpu-k4x9q"

  @case:second-generated-claim-of-another-pod
  @KUBELET/prepare/validates-first
  Scenario: A pod fails if its second entry has the generated ResourceClaim of another pod
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "q-nic-7hz2m" is already allocated
      | device |
      | nic-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: gpu, resourceClaimTemplateName: template}
        - {name: nic, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}, {name: nic}]}}
      """
    And a pod "q" that uses the ResourceClaimTemplate "template" as "nic"
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    And ResourceClaim "q-nic-7hz2m" is generated for the entry "nic" of pod "q"
    And the status of pod "p" names ResourceClaim "q-nic-7hz2m" of pod "q" for the entry "nic"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:unreserved-claim-that-is-prepared
  @KUBELET/prepare/validates-first
  Scenario: A pod for which a ResourceClaim is not reserved fails although another pod has it prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    And ResourceClaim "c" is not reserved for pod "q"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called
    And pod "q" does not need to be unprepared
    And container "main" of pod "p" gets the device "gpu-0"

  @case:unreserved-generated-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod whose generated ResourceClaim is not reserved fails before a driver is called
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    And ResourceClaim "p-gpu-k4x9q" is not reserved for pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:second-driver-unregistered
  @KUBELET/prepare/validates-first
  Scenario Outline: A pod fails before a call if one of two drivers of its ResourceClaim is not registered
    Given ResourceClaim "c" is already allocated
      | request | device   | driver   |
      | left    | device-0 | <first>  |
      | right   | device-1 | <second> |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

    @key:first
    Examples:
      | first            | second           |
      | dra.example.com  | fpga.example.com |
      | fpga.example.com | dra.example.com  |

  @case:generated-claim-of-an-earlier-pod
  @KUBELET/prepare/validates-first
  Scenario: A pod fails if its ResourceClaim was generated for an earlier pod of the same name
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: p-gpu-k4x9q
        namespace: default
        ownerReferences:
        - {apiVersion: v1, kind: Pod, name: p, uid: 5f0c1d52-8f4b-4b6e-9a57-0d6c1f2e3a41, controller: true}
      spec:
        devices:
          requests:
          - {name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}
      """
    And ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims:
        - {name: gpu, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}
      status:
        resourceClaimStatuses:
        - {name: gpu, resourceClaimName: p-gpu-k4x9q}
      """
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:claim-of-no-container
  @KUBELET/prepare/one-call-per-driver
  Scenario: A ResourceClaim that no container of the pod uses is prepared, too
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: c, resourceClaimName: c}
        - {name: d, resourceClaimName: d}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}]}}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "c, d"
    And container "main" of pod "p" gets the device "gpu-0"
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaims "c, d"

  @case:claim-of-an-init-container
  @KUBELET/prepare/one-call-per-driver @KUBELET/devices/by-request
  Scenario: A ResourceClaim that only an init container uses is prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | kind | claims |
      | setup     | init | d      |
      | main      |      | c      |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "c, d"
    And container "setup" of pod "p" gets the device "gpu-1"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:no-claim-needed
  @KUBELET/prepare/no-claim-needed
  Scenario: A pod is prepared although one of its entries needs no ResourceClaim
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: none, resourceClaimTemplateName: template}
        - {name: c, resourceClaimName: c}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: none}, {name: c}]}}
      status:
        resourceClaimStatuses:
        - {name: none}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:no-entry-needs-a-claim
  @KUBELET/prepare/no-claim-needed
  Scenario: A pod whose only entry needs no ResourceClaim is prepared without a call to a driver
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: none, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: none}]}}
      status:
        resourceClaimStatuses:
        - {name: none}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And no driver is called
    And container "main" of pod "p" gets no device
    And pod "p" does not need to be unprepared

  @case:missing-generated-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod whose generated ResourceClaim is missing fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: c, resourceClaimName: c}
        - {name: gpu, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}, {name: gpu}]}}
      status:
        resourceClaimStatuses:
        - {name: gpu, resourceClaimName: missing}
      """
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:unallocated-generated-claim
  @KUBELET/prepare/validates-first
  Scenario: A pod whose generated ResourceClaim is not allocated fails before a driver is called
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a ResourceClaim "p-gpu-k4x9q" requesting 1 device
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: c, resourceClaimName: c}
        - {name: gpu, resourceClaimTemplateName: template}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}, {name: gpu}]}}
      """
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    And pod "p" does not need to be unprepared

  @case:missing-entry-of-either-claim
  @KUBELET/prepare/left-out
  Scenario Outline: A pod with ResourceClaims <claims> fails if the response has no entry for claim <left-out>
    Given ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "<claims>"
    When driver "dra.example.com" now answers calls to prepare without an entry for ResourceClaim "<left-out>"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared

    @key:claims,left-out
    Examples:
      | claims | left-out |
      | a      | a        |
      | a, b   | b        |
      | b, a   | b        |

  @case:missing-entry-of-the-only-claim
  @KUBELET/prepare/left-out @KUBELET/prepare/retried
  Scenario: A driver is called again for a ResourceClaim that its response left out
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare without an entry for ResourceClaim "c"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:unknown-entry-instead-of-a-claim
  @KUBELET/prepare/left-out @KUBELET/prepare/unknown-entry
  Scenario: A response with an unknown ResourceClaim instead of that of the pod fails the pod
    Given ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "a, b"
    When driver "dra.example.com" now answers calls to prepare with an entry for an unknown ResourceClaim instead of ResourceClaim "b"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And driver "dra.example.com" is called once to prepare ResourceClaims "a, b"

  @case:second-pod-fails
  @KUBELET/prepare/retried @KUBELET/prepare/once
  Scenario: A second pod whose own ResourceClaim fails leaves the shared ResourceClaim prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And container "main" of pod "p" gets the device "gpu-0"
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "d"
    And container "main" of pod "q" gets the devices "gpu-0, gpu-1"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:first-pod-fails
  @KUBELET/prepare/retried @KUBELET/prepare/shared
  Scenario: A ResourceClaim whose preparation failed for one pod is prepared for another pod
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When driver "dra.example.com" now answers calls to prepare correctly
    And the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And no driver is called

  @case:later-pod
  @KUBELET/prepare/once @KUBELET/unprepare/last-pod
  Scenario: A ResourceClaim that was unprepared is prepared again for a later pod
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "q" gets the device "gpu-0"
    When the kubelet unprepares pod "q"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:three-claims-and-drivers
  @KUBELET/prepare/one-call-per-driver @KUBELET/devices/by-request @KUBELET/unprepare/last-pod
  Scenario: A pod with three ResourceClaims and three drivers gets all devices
    Given DRA driver "nic.example.com" on the node
    And DRA driver "fpga.example.com" on the node
    And ResourceClaim "a" is already allocated
      | request | device | driver           |
      | one     | gpu-0  | dra.example.com  |
      | two     | nic-0  | nic.example.com  |
      | three   | fpga-0 | fpga.example.com |
      | four    | gpu-1  | dra.example.com  |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-2  |
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-3  |
    And a pod "p" with the containers
      | container | claims                      |
      | main      | a, b, c                     |
      | some      | a/one, a/two, a/three, b, c |
      | last      | c                           |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "a, b, c"
    And driver "nic.example.com" is called once to prepare ResourceClaim "a"
    And driver "fpga.example.com" is called once to prepare ResourceClaim "a"
    And container "main" of pod "p" gets the devices "fpga-0, gpu-0, gpu-1, gpu-2, gpu-3, nic-0"
    And container "some" of pod "p" gets the devices "fpga-0, gpu-0, gpu-2, gpu-3, nic-0"
    And container "last" of pod "p" gets the device "gpu-3"
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaims "a, b, c"
    And driver "nic.example.com" is called once to unprepare ResourceClaim "a"
    And driver "fpga.example.com" is called once to unprepare ResourceClaim "a"

  @case:replaced-claim-of-the-same-pod
  @KUBELET/prepare/replaced-claim
  Scenario: A prepared pod fails to be prepared again after its ResourceClaim is replaced
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When ResourceClaim "c" is replaced while the kubelet knows it
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:replaced-generated-claim
  @KUBELET/prepare/replaced-claim
  Scenario: A prepared pod fails to be prepared again after its generated ResourceClaim is replaced
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    And ResourceClaim "p-gpu-k4x9q" is replaced while the kubelet knows it
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called

  @case:second-claim-replaced
  @KUBELET/prepare/replaced-claim
  Scenario: A pod whose second ResourceClaim is replaced is prepared after the old one is unprepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "old" that uses ResourceClaim "d"
    And a pod "new" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "old"
    And ResourceClaim "d" is replaced while the kubelet knows it
    And the kubelet prepares pod "new"
    Then preparing pod "new" fails
    And no driver is called
    When the kubelet unprepares pod "old"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "d"
    When the kubelet prepares pod "new"
    Then pod "new" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "c, d"

  @case:claim-of-two-drivers-being-unprepared
  @KUBELET/prepare/not-while-unpreparing
  Scenario: A pod is not prepared while one of two drivers still has to unprepare its ResourceClaim
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    And driver "nic.example.com" now answers calls to unprepare with a gRPC error
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called
    But from Kubernetes 1.34 to 1.36, because a pod can be prepared while its ResourceClaim is being unprepared: pod "q" is prepared

  @case:second-claim-being-unprepared
  @KUBELET/prepare/not-while-unpreparing
  Scenario: A pod is not prepared while its second ResourceClaim is being unprepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "d"
    And a pod "q" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with an error for ResourceClaim "d"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called
    But from Kubernetes 1.34 to 1.36, because a pod can be prepared while its ResourceClaim is being unprepared: pod "q" is prepared

  @case:after-a-failed-unprepare
  @KUBELET/prepare/not-while-unpreparing @KUBELET/unprepare/until-success
  Scenario: A pod is prepared with a ResourceClaim that was unprepared at the second try
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with an error for ResourceClaim "c"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
