Feature: Pods that take resources of a node through claims are not resized
  A write to the resize subresource of a pod is refused while its status has entries of such claims.

  Background:
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: dra, namespace: default}
      spec:
        containers: [{name: main, image: i, resources: {requests: {cpu: "1", memory: 2Gi}}}]
        resourceClaims: [{name: c, resourceClaimName: c}]
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}
      """

  @case:with-an-entry-is-refused
  @KEP-5517/resize/rejected-with-claim-status
  Scenario Outline: With an entry, <what> is refused
    When pod "dra" is resized to
      | field                                          | value    |
      | spec.containers[0].resources.requests.<resource> | <amount> |
    Then it is rejected with Forbidden at "spec"
    But since Kubernetes 1.37, because these releases resize such pods: it is stored with
      | field                                            | value    |
      | spec.containers[0].resources.requests.<resource> | <amount> |

    Examples:
      | what        | resource | amount |
      | more cpu    | cpu      | 2      |
      | less memory | memory   | 1Gi    |

  @case:with-more-cpu-is-refused
  @KEP-5517/resize/rejected-with-claim-status
  Scenario Outline: With <entries>, more cpu is refused
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: other, namespace: default}
      spec:
        containers: [{name: main, image: i, resources: {requests: {cpu: "1", memory: 2Gi}}}]
        resourceClaims: [{name: c, resourceClaimName: c}, {name: d, resourceClaimName: d}]
      status:
        nodeAllocatableResourceClaimStatuses: <statuses>
      """
    When pod "other" is resized to
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    Then it is rejected with Forbidden at "spec"
    But since Kubernetes 1.37, because these releases resize such pods: it is stored with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |

    Examples:
      | entries                 | statuses                                                                                                                                                                                                                                                                         |
      | an entry of memory only | [{resourceClaimName: c, containers: [main], resources: {memory: 1Gi}, mapping: [{name: memory, quantity: 1Gi}]}]                                                                                                                                                             |
      | entries of two claims   | [{resourceClaimName: c, containers: [main], resources: {memory: 1Gi}, mapping: [{name: memory, quantity: 1Gi}]}, {resourceClaimName: d, containers: [main], resources: {cpu: "2"}, mapping: [{name: cpu, quantity: "2"}]}] |

  @case:later-a-pod-with-an-entry-is-resized-and-its-entry
  @KEP-5517/resize/integration @profile:kep-future @profile:since-1.37
  Scenario: Later a pod with an entry is resized, and its entry stays as it is
    When pod "dra" is resized to
      | field                                        | value |
      | spec.containers[0].resources.requests.cpu    | 2     |
      | spec.containers[0].resources.requests.memory | 3Gi   |
    Then it is stored with
      | field                                                          | value |
      | spec.containers[0].resources.requests.cpu                      | 2     |
      | spec.containers[0].resources.requests.memory                   | 3Gi   |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |

  @case:a-pod-whose-claims-take-nothing-of-the-node-is
  @KEP-5517/resize/allowed-without-claim-status
  Scenario: A pod whose claims take nothing of the node is resized as ever
    Given a pod "plain" that uses claim "gpu" with the container
      | container | request cpu |
      | main      | 1           |
    When pod "plain" is resized to
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    Then it is stored with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |

  @case:a-container-that-uses-such-a-claim-can-be-resized
  @KEP-5517/resize/allowed-without-claim-status
  Scenario: A container that uses such a claim can be resized, too
    Given a pod "gpu" with the container
      | container | request cpu | claims |
      | main      | 1           | gpu    |
    When pod "gpu" is resized to
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    Then it is stored with
      | field                                     | value |
      | spec.containers[0].resources.requests.cpu | 2     |
    But until Kubernetes 1.36, because the comparison of what may change forgets the claims: it is rejected with Forbidden at "spec"
